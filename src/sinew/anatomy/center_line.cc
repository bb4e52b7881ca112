#include "sinew/anatomy/center_line.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "sinew/anatomy/bspline_basis.h"
#include "sinew/anatomy/surface_paths.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kBins = 16;        // of the first guess
constexpr std::uint32_t kControls = 12;  // control points of the line
constexpr int kRefinements = 4;          // rounds of cutting and smoothing
constexpr std::uint32_t kDegree = 3;

using Points = std::vector<Vec3d>;

Vec3d centroid_of(std::span<const Vec3d> points) {
  Vec3d sum;
  for (const Vec3d& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

std::uint32_t nearest_vertex(const mesh::Surface& surface, const Vec3d& x) {
  const auto nearer = [&](const Vec3d& a, const Vec3d& b) { return norm(a - x) < norm(b - x); };
  const auto found = std::min_element(surface.positions.begin(), surface.positions.end(), nearer);
  return static_cast<std::uint32_t>(found - surface.positions.begin());
}

// Lengths of paths over the surface from the vertices nearest to `from`.
std::vector<double> lengths_from(const mesh::Surface& surface, const SurfaceGraph& graph,
                                 std::span<const Vec3d> from) {
  std::vector<std::uint32_t> sources;
  sources.reserve(from.size());
  for (const Vec3d& x : from) sources.push_back(nearest_vertex(surface, x));
  return compute_path_lengths(graph, sources);
}

// Ends, and between them the centroids of bands of the surface at equal parts of the way over it.
Points guess_line(const mesh::Surface& surface, std::span<const Vec3d> origin,
                  std::span<const Vec3d> insertion) {
  const SurfaceGraph graph = make_graph(surface);
  const std::vector<double> from_origin = lengths_from(surface, graph, origin);
  const std::vector<double> from_insertion = lengths_from(surface, graph, insertion);
  const std::vector<double> areas = compute_vertex_areas(surface);
  Points sums(kBins);
  std::vector<double> weights(kBins, 0.0);
  for (std::size_t v = 0; v < areas.size(); ++v) {
    const double way = from_origin[v] / (from_origin[v] + from_insertion[v]);
    if (!(way >= 0 && way <= 1)) continue;  // on a part that no path reaches
    const std::size_t bin = std::min(static_cast<std::size_t>(way * kBins), kBins - 1);
    sums[bin] += surface.positions[v] * areas[v];
    weights[bin] += areas[v];
  }
  Points line = {centroid_of(origin)};
  for (std::size_t b = 1; b + 1 < kBins; ++b) {
    if (weights[b] > 0) line.push_back(sums[b] / weights[b]);
  }
  line.push_back(centroid_of(insertion));
  if (line.size() < 4) throw std::invalid_argument("no path over the surface joins the two ends");
  return line;
}

std::vector<double> length_parameters(const Points& line) {
  std::vector<double> t = {0};
  for (std::size_t i = 1; i < line.size(); ++i) t.push_back(t.back() + norm(line[i] - line[i - 1]));
  for (double& value : t) value /= t.back() > 0 ? t.back() : 1;
  return t;
}

// A smooth curve near the points, as `count` points at equal steps of length.
Points smooth(const Points& line, std::size_t count, double bending) {
  const CurveFit fit(kDegree, kControls, length_parameters(line), bending);
  Points control(kControls);
  fit.apply(line.data(), 1, control.data(), 1);
  const std::vector<double> knots = make_clamped_knots(kDegree, kControls);
  const auto at = [&](double t) {
    const BasisValues basis = compute_basis(knots, kDegree, t);
    Vec3d sum;
    for (std::uint32_t i = 0; i <= kDegree; ++i) sum += control[basis.first + i] * basis.values[i];
    return sum;
  };
  Points fine;
  const std::size_t steps = 8 * count;
  for (std::size_t i = 0; i <= steps; ++i) {
    fine.push_back(at(static_cast<double>(i) / static_cast<double>(steps)));
  }
  const std::vector<double> t = length_parameters(fine);
  Points even;
  for (std::size_t i = 0, j = 0; i < count; ++i) {
    const double wanted = static_cast<double>(i) / static_cast<double>(count - 1);
    while (j + 2 < t.size() && t[j + 1] < wanted) ++j;
    const double s = (wanted - t[j]) / std::max(t[j + 1] - t[j], 1e-300);
    even.push_back(fine[j] + (fine[j + 1] - fine[j]) * s);
  }
  return even;
}

// How far the surface reaches beyond an end of the line, along its direction there.
double overhang(const mesh::Surface& surface, const Points& line, const Vec3d& end,
                const Vec3d& outward) {
  double farthest = 0;
  for (const Vec3d& x : surface.positions) {
    const double beyond = dot(x - end, outward);
    if (beyond <= farthest) continue;
    const double distance = norm(x - end);
    const bool nearest_end = std::all_of(line.begin(), line.end(),
                                         [&](const Vec3d& p) { return norm(x - p) >= distance; });
    if (nearest_end) farthest = beyond;
  }
  return farthest;
}

// Lengthens both ends to where the muscle ends.
void extend(const mesh::Surface& surface, Points& line) {
  const std::size_t n = line.size();
  const Vec3d first = normalized(line[0] - line[n / 16 + 1]);
  const Vec3d last = normalized(line[n - 1] - line[n - 2 - n / 16]);
  const Vec3d start = line.front() + first * overhang(surface, line, line.front(), first);
  const Vec3d end = line.back() + last * overhang(surface, line, line.back(), last);
  line.insert(line.begin(), start);
  line.push_back(end);
}

// Frames along the line by double reflection (Wang et al. 2008).
std::vector<SectionFrame> make_frames(const Points& line) {
  const std::size_t n = line.size();
  std::vector<SectionFrame> frames(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d along = line[std::min(i + 1, n - 1)] - line[i == 0 ? 0 : i - 1];
    if (!(norm(along) > 0)) throw std::invalid_argument("origin and insertion coincide");
    frames[i].center = line[i];
    frames[i].e3 = normalized(along);
  }
  frames[0].e1 = any_perpendicular(frames[0].e3);
  for (std::size_t i = 1; i < n; ++i) {
    const Vec3d v1 = line[i] - line[i - 1];
    const double c1 = std::max(dot(v1, v1), 1e-300);
    const Vec3d reflected = frames[i - 1].e1 - v1 * (2 / c1 * dot(v1, frames[i - 1].e1));
    const Vec3d tangent = frames[i - 1].e3 - v1 * (2 / c1 * dot(v1, frames[i - 1].e3));
    const Vec3d v2 = frames[i].e3 - tangent;
    const double c2 = std::max(dot(v2, v2), 1e-300);
    const Vec3d e1 = reflected - v2 * (2 / c2 * dot(v2, reflected));
    frames[i].e1 = normalized(e1 - frames[i].e3 * dot(e1, frames[i].e3));
  }
  for (SectionFrame& frame : frames) frame.e2 = cross(frame.e3, frame.e1);
  return frames;
}

// The centroids of the sections across the line; its own points where the plane misses.
Points section_centroids(const mesh::Surface& surface, const std::vector<SectionFrame>& frames) {
  Points centroids;
  for (const SectionFrame& frame : frames) {
    const auto section = cut_section(surface, frame);
    centroids.push_back(frame.center);
    if (!section) continue;
    // A section that reaches far to one side belongs to another part of the muscle.
    const auto& [x, y] = section->centroid;
    if (x * x + y * y > section->area) continue;
    centroids.back() += frame.e1 * x + frame.e2 * y;
  }
  return centroids;
}

}  // namespace

CenterLine trace_center_line(const mesh::Surface& surface, std::span<const Vec3d> origin,
                             std::span<const Vec3d> insertion, std::size_t num_slices,
                             double bending) {
  if (!(norm(centroid_of(insertion) - centroid_of(origin)) > 0)) {
    throw std::invalid_argument("origin and insertion coincide");
  }
  Points line = smooth(guess_line(surface, origin, insertion), num_slices, bending);
  for (int i = 0; i < kRefinements; ++i) {
    line = smooth(section_centroids(surface, make_frames(line)), num_slices, bending);
  }
  extend(surface, line);
  line = smooth(line, num_slices, bending);
  CenterLine result{make_frames(line), 0};
  for (std::size_t i = 1; i < line.size(); ++i) result.length += norm(line[i] - line[i - 1]);
  return result;
}

}  // namespace sinew::anatomy
