#include "sinew/anatomy/bspline_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sinew/anatomy/bspline_basis.h"
#include "sinew/anatomy/center_line.h"
#include "sinew/anatomy/fit_report.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kGrid = 13;      // samples along u and v of a cross-section
constexpr double kCorner = 0.35;       // how much of the square stays in the disc
constexpr double kLeastOutline = 0.7;  // of the ellipse; less would fold the radial map
constexpr double kMostOutline = 2.5;
constexpr double kLineBending = 1e-3;  // of the centre line, in the first attempt
constexpr int kMaxAttempts = 8;
constexpr int kMostWaves = 5;  // of an outline, in the first attempt; an ellipse in the sixth

// A cross-section as an ellipse (symmetric 2 x 2 matrix from the unit disc, m) and the outline of
// the muscle in units of it.
struct Slice {
  bool found = false;
  std::array<double, 3> ellipse{};  // xx, xy, yy
  std::vector<double> outline;      // (num_directions)
};

// The square root of a symmetric positive definite 2 x 2 matrix, its eigenvalues raised to `least`.
std::array<double, 3> root(const std::array<double, 3>& m, double least) {
  const double mean = (m[0] + m[2]) / 2;
  const double half = std::hypot((m[0] - m[2]) / 2, m[1]);
  const double r1 = std::max(std::sqrt(std::max(mean + half, 0.0)), least);
  const double r2 = std::max(std::sqrt(std::max(mean - half, 0.0)), least);
  // r = a I + b (m - mean I) / half
  const double a = (r1 + r2) / 2;
  const double b = half > 0 ? (r1 - r2) / (2 * half) : 0;
  return {a + b * (m[0] - mean), b * m[1], a + b * (m[2] - mean)};
}

std::array<double, 4> inverse_of(const std::array<double, 3>& m) {
  const double det = m[0] * m[2] - m[1] * m[1];
  return {m[2] / det, -m[1] / det, -m[1] / det, m[0] / det};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Keeps the waves of an outline that the control points can follow, and no sharp corner of it.
void smooth_outline(std::vector<double>& outline, int num_waves) {
  const auto count = static_cast<double>(outline.size());
  std::vector<double> smooth(outline.size(), 0.0);
  for (int wave = 0; wave <= num_waves; ++wave) {
    double a = 0;
    double b = 0;
    const double turn = 2 * std::numbers::pi * wave / count;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      a += outline[k] * std::cos(turn * static_cast<double>(k));
      b += outline[k] * std::sin(turn * static_cast<double>(k));
    }
    // Waves fade out towards the last one, against ringing.
    const double fade = std::sin(std::numbers::pi * (wave + 1e-9) / (num_waves + 1)) /
                        (std::numbers::pi * (wave + 1e-9) / (num_waves + 1));
    const double weight = fade * (wave == 0 ? 1 : 2) / count;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const double angle = turn * static_cast<double>(k);
      smooth[k] += weight * (a * std::cos(angle) + b * std::sin(angle));
    }
  }
  outline = std::move(smooth);
}

// Slices that the muscle does not reach take the values of the nearest that it does.
void fill_gaps(std::vector<Slice>& slices) {
  const std::vector<Slice> given = slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    for (std::size_t d = 1; !slices[i].found && d < slices.size(); ++d) {
      if (i >= d && given[i - d].found) slices[i] = given[i - d];
      if (i + d < given.size() && given[i + d].found) slices[i] = given[i + d];
    }
  }
}

std::vector<Slice> cut_slices(const mesh::Surface& surface, const CenterLine& line,
                              const BsplineFitSettings& settings, int num_waves) {
  std::vector<std::optional<Section>> sections;
  std::vector<double> radii;
  for (const SectionFrame& frame : line.frames) {
    sections.push_back(cut_section(surface, frame));
    if (sections.back()) radii.push_back(std::sqrt(sections.back()->area / std::numbers::pi));
  }
  if (radii.empty()) throw std::invalid_argument("the centre line does not meet the surface");
  const double least = settings.least_radius * median(radii);
  std::vector<Slice> slices(sections.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (!sections[i]) continue;
    // Moments about the centre line, not about the centroid: the ellipse must hold the outline.
    const auto& [cx, cy] = sections[i]->centroid;
    const auto& m = sections[i]->moments;
    // A uniform ellipse has semi-axes twice the roots of its moments.
    slices[i].found = true;
    slices[i].ellipse =
        root({4 * (m[0] + cx * cx), 4 * (m[1] + cx * cy), 4 * (m[2] + cy * cy)}, least);
    slices[i].outline = radial_outline(*sections[i], {0, 0}, inverse_of(slices[i].ellipse),
                                       settings.num_directions);
    for (double& r : slices[i].outline) r = std::clamp(r, kLeastOutline, kMostOutline);
    smooth_outline(slices[i].outline, num_waves);
    for (double& r : slices[i].outline) r *= 1 + settings.margin;
  }
  fill_gaps(slices);
  return slices;
}

// From the square [-1, 1]^2 onto a rounded square that holds the unit disc: the elliptical map of
// the disc, with a part of the square left so that corners keep an area.
Vec2 square_to_disc(double x, double y) {
  const double disc_x = x * std::sqrt(1 - y * y / 2);
  const double disc_y = y * std::sqrt(1 - x * x / 2);
  return {disc_x + kCorner * (x - disc_x), disc_y + kCorner * (y - disc_y)};
}

double outline_at(const Slice& slice, double angle) {
  const auto count = static_cast<double>(slice.outline.size());
  double at = angle / (2 * std::numbers::pi) * count;
  at -= count * std::floor(at / count);
  const auto k = std::min(static_cast<std::size_t>(at), slice.outline.size() - 1);
  const double s = at - static_cast<double>(k);
  return slice.outline[k] * (1 - s) + slice.outline[(k + 1) % slice.outline.size()] * s;
}

Vec3d place(const SectionFrame& frame, const Slice& slice, const Vec2& disc) {
  const double r2 = disc[0] * disc[0] + disc[1] * disc[1];
  // The ellipse in the middle, the outline at the border.
  const double stretch =
      1 + (outline_at(slice, std::atan2(disc[1], disc[0])) - 1) * std::min(r2, 1.0);
  const double x = disc[0] * stretch;
  const double y = disc[1] * stretch;
  return frame.center + frame.e1 * (slice.ellipse[0] * x + slice.ellipse[1] * y) +
         frame.e2 * (slice.ellipse[1] * x + slice.ellipse[2] * y);
}

std::vector<double> even_parameters(std::size_t count) {
  std::vector<double> t;
  for (std::size_t i = 0; i < count; ++i) {
    t.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return t;
}

// Least squares along u, then v, then w: the normal equations of a grid are a product of three.
BsplineSolid fit_grid(const std::vector<Vec3d>& samples, std::size_t num_slices,
                      const BsplineFitSettings& settings, double smoothing) {
  const auto [nu, nv, nw] = settings.counts;
  const std::vector<double> across = even_parameters(kGrid);
  const CurveFit fit_u(settings.degrees[0], nu, across, smoothing);
  const CurveFit fit_v(settings.degrees[1], nv, across, smoothing);
  const CurveFit fit_w(settings.degrees[2], nw, even_parameters(num_slices), settings.smoothing);
  std::vector<Vec3d> by_u(num_slices * kGrid * nu);
  for (std::size_t r = 0; r < num_slices * kGrid; ++r) {
    fit_u.apply(&samples[r * kGrid], 1, &by_u[r * nu], 1);
  }
  std::vector<Vec3d> by_v(num_slices * nv * nu);
  for (std::size_t k = 0; k < num_slices; ++k) {
    for (std::size_t i = 0; i < nu; ++i) {
      fit_v.apply(&by_u[k * kGrid * nu + i], nu, &by_v[k * nv * nu + i], nu);
    }
  }
  BsplineSolid solid{settings.degrees, settings.counts, {}, {}};
  solid.control_points.resize(std::size_t{nw} * nv * nu);
  for (std::size_t i = 0; i < std::size_t{nv} * nu; ++i) {
    fit_w.apply(&by_v[i], std::size_t{nv} * nu, &solid.control_points[i], std::size_t{nv} * nu);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    solid.knots[a] = make_clamped_knots(settings.degrees[a], settings.counts[a]);
  }
  return solid;
}

BsplineSolid make_solid(const CenterLine& line, const std::vector<Slice>& slices,
                        const BsplineFitSettings& settings, double smoothing) {
  std::vector<Vec3d> samples;
  samples.reserve(slices.size() * kGrid * kGrid);
  const std::vector<double> across = even_parameters(kGrid);
  for (std::size_t k = 0; k < slices.size(); ++k) {
    for (const double v : across) {
      for (const double u : across) {
        samples.push_back(place(line.frames[k], slices[k], square_to_disc(2 * u - 1, 2 * v - 1)));
      }
    }
  }
  return fit_grid(samples, slices.size(), settings, smoothing);
}

void check_settings(const BsplineFitSettings& settings, std::span<const Vec3d> origin,
                    std::span<const Vec3d> insertion) {
  const auto need = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(fmt::format("fit of a B-spline solid: {}", what));
  };
  for (std::size_t a = 0; a < 3; ++a) {
    need(settings.degrees[a] >= 1 && settings.degrees[a] <= kMaxDegree, "degrees must be 1 to 3");
    need(settings.counts[a] > settings.degrees[a], "counts must be more than the degree");
  }
  need(settings.counts[0] <= kGrid && settings.counts[1] <= kGrid, "counts of u, v: at most 13");
  need(settings.num_slices >= std::max(8U, settings.counts[2]) && settings.num_slices <= 1024,
       "num_slices must be at least 8 and count_w, at most 1024");
  need(settings.num_directions >= 8 && settings.num_directions <= 1024,
       "num_directions must be 8 to 1024");
  need(settings.margin >= 0 && settings.margin <= 1, "margin must be 0 to 1");
  need(settings.least_radius > 0 && settings.least_radius <= 1, "least_radius must be in (0, 1]");
  need(settings.smoothing >= 0 && settings.smoothing <= 1, "smoothing must be 0 to 1");
  need(!origin.empty() && !insertion.empty(), "each end needs at least one point");
  need(std::all_of(origin.begin(), origin.end(), is_finite) &&
           std::all_of(insertion.begin(), insertion.end(), is_finite),
       "the points of the ends must be finite");
}

}  // namespace

BsplineFit fit_bspline_solid(const mesh::Surface& surface, std::span<const Vec3d> origin,
                             std::span<const Vec3d> insertion, const BsplineFitSettings& settings) {
  check_settings(settings, origin, insertion);
  BsplineFit fit;
  double smoothing = settings.smoothing;
  double bending = kLineBending;
  for (int attempt = 1; attempt <= kMaxAttempts; ++attempt) {
    const CenterLine line =
        trace_center_line(surface, origin, insertion, settings.num_slices, bending);
    const std::vector<Slice> slices =
        cut_slices(surface, line, settings, std::max(kMostWaves + 1 - attempt, 0));
    fit.solid = make_solid(line, slices, settings, smoothing);
    fit.report.length = line.length;
    fit.report.num_attempts = attempt;
    fit.report.least_jacobian = compute_least_jacobian(fit.solid);
    if (fit.report.least_jacobian > 0) break;
    smoothing *= 2;
    bending *= 2;
  }
  add_surface_report(surface, fit);
  return fit;
}

}  // namespace sinew::anatomy
