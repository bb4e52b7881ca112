#include "sinew/anatomy/active_shape.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "sinew/anatomy/active_fit.h"
#include "sinew/anatomy/quasi_newton.h"
#include "sinew/core/error.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::anatomy {
namespace {

constexpr std::size_t kMostPoints = 2500;  // of a surface that the fit looks at
constexpr double kLong = 1.7;  // distance of the ends over the cube root of the volume: a muscle
                               // that has ends; a ball has 1.24
constexpr double kEndPart = 0.08;    // of the length that counts as an end
constexpr double kLargeTurn = 0.26;  // rad, 15 degrees: turns from here on are factored out
constexpr double kStages[] = {1, 10, 100, 1000};  // stiffness of the surfaces
constexpr int kMatches = 2;                       // a stage
constexpr int kIterations = 25;                   // a match

struct Solid {
  mesh::Surface surface;
  std::vector<SurfacePoint> points;
  double volume;
  Vec3d centroid;
};

struct Ends {
  Vec3d centers[2];
  std::vector<std::pair<Vec3d, double>> points[2];
};

Vec3d centroid_of(const mesh::Surface& surface, double volume) {
  Vec3d sum{};
  for (const auto& t : surface.triangles) {
    const Vec3d &a = surface.positions[t[0]], &b = surface.positions[t[1]],
                &c = surface.positions[t[2]];
    sum += (a + b + c) * (dot(a, cross(b, c)) / 24);
  }
  return sum / volume;
}

std::vector<SurfacePoint> make_points(const mesh::Shape& shape, const mesh::Surface& surface) {
  std::vector<double> areas(surface.positions.size());
  for (const auto& t : surface.triangles) {
    const Vec3d &a = surface.positions[t[0]], &b = surface.positions[t[1]],
                &c = surface.positions[t[2]];
    const double area = norm(cross(b - a, c - a)) / 2;
    for (const std::uint32_t v : t) areas[v] += area / 3;
  }
  // Where there are too many, equal shares of the area.
  double total = 0;
  for (const double area : areas) total += area;
  const double share = total / static_cast<double>(kMostPoints);
  std::vector<SurfacePoint> points;
  double pending = 0;
  for (std::size_t v = 0; v < areas.size(); ++v) {
    pending += areas[v];
    if (pending < share && areas.size() > kMostPoints) continue;
    const Vec3d& x = surface.positions[v];
    points.push_back({x, mesh::sample_distance(shape, x).normal, pending});
    pending = 0;
  }
  return points;
}

Solid make_solid(const mesh::Shape& shape, double spacing) {
  Solid solid;
  solid.surface = mesh::make_isosurface(shape, spacing);
  solid.volume = mesh::compute_volume(solid.surface);
  SINEW_CHECK(solid.volume > 0, "a passive or active shape encloses no volume");
  solid.centroid = centroid_of(solid.surface, solid.volume);
  solid.points = make_points(shape, solid.surface);
  return solid;
}

// The two ends of a long solid: what lies farthest along the line between them.
std::optional<Ends> find_ends(const Solid& solid) {
  Vec3d axis{};
  double most = 0;
  for (const SurfacePoint& a : solid.points) {
    for (const SurfacePoint& b : solid.points) {
      const Vec3d d = b.place - a.place;
      if (dot(d, d) > most) most = dot(d, d), axis = d;
    }
  }
  if (std::sqrt(most) < kLong * std::cbrt(solid.volume)) return std::nullopt;
  Ends ends;
  for (int round = 0; round < 3; ++round) {
    axis = normalized(axis);
    double low = 1e300, high = -1e300;
    for (const SurfacePoint& p : solid.points) {
      low = std::min(low, dot(axis, p.place)), high = std::max(high, dot(axis, p.place));
    }
    const double part = kEndPart * (high - low);
    ends = {};
    double areas[2] = {0, 0};
    for (const SurfacePoint& p : solid.points) {
      const double s = dot(axis, p.place);
      if (s > low + part && s < high - part) continue;
      const std::size_t e = s > low + part ? 1 : 0;
      ends.points[e].emplace_back(p.place, p.area);
      ends.centers[e] += p.place * p.area;
      areas[e] += p.area;
    }
    for (std::size_t e = 0; e < 2; ++e) {
      ends.centers[e] = ends.centers[e] / areas[e];
      for (auto& [place, weight] : ends.points[e]) weight /= areas[e];
    }
    axis = ends.centers[1] - ends.centers[0];
  }
  return ends;
}

// Turns the active ends round where that brings them nearer to the passive ones.
void match_ends(const Ends& passive, Ends& active) {
  const auto squared = [](const Vec3d& d) { return dot(d, d); };
  const double straight = squared(active.centers[0] - passive.centers[0]) +
                          squared(active.centers[1] - passive.centers[1]);
  const double swapped = squared(active.centers[1] - passive.centers[0]) +
                         squared(active.centers[0] - passive.centers[1]);
  if (swapped >= straight) return;
  std::swap(active.centers[0], active.centers[1]);
  std::swap(active.points[0], active.points[1]);
}

double choose_spacing(const mesh::Shape& passive, double wanted) {
  if (wanted > 0) return wanted;
  const mesh::Bounds box = mesh::compute_bounds(passive);
  const Vec3d size = box.high - box.low;
  const double length = norm(size);
  const mesh::Surface coarse = mesh::make_isosurface(passive, length / 40);
  const double thickness = std::sqrt(std::abs(mesh::compute_volume(coarse)) / length);
  return std::max(length / 12, thickness / 3);
}

void measure(const Solid& passive, const Solid& active, const mesh::Shape& active_shape,
             const mesh::Shape& passive_shape, ActiveShapeFit& fit) {
  mesh::Surface mapped = passive.surface;
  for (Vec3d& x : mapped.positions) x = evaluate(fit.map, x).place;
  fit.mapped_volume_ratio = mesh::compute_volume(mapped) / passive.volume;
  double sum = 0, area = 0;
  const auto add = [&](double distance, double weight) {
    sum += std::abs(distance) * weight, area += weight;
    fit.largest_distance = std::max(fit.largest_distance, std::abs(distance));
  };
  for (const SurfacePoint& p : passive.points) {
    add(mesh::signed_distance(active_shape, evaluate(fit.map, p.place).place), p.area);
  }
  const mesh::SurfaceDistance distance(std::move(mapped));
  for (const SurfacePoint& p : active.points) add(distance.sample(p.place).distance, p.area);
  fit.mean_distance = sum / area;

  const SplineLattice& lattice = fit.map.lattice;
  double spread = 0, count = 0;
  fit.least_volume_ratio = 1e300;
  const double step = lattice.spacing / 2;
  const mesh::Bounds box = mesh::compute_bounds(passive_shape);
  for (double z = box.low.z + step / 2; z < box.high.z; z += step) {
    for (double y = box.low.y + step / 2; y < box.high.y; y += step) {
      for (double x = box.low.x + step / 2; x < box.high.x; x += step) {
        if (mesh::signed_distance(passive_shape, {x, y, z}) > 0) continue;
        const double J = determinant(evaluate(fit.map, {x, y, z}).gradient);
        spread += (J / fit.volume_ratio - 1) * (J / fit.volume_ratio - 1), ++count;
        fit.least_volume_ratio = std::min(fit.least_volume_ratio, J);
      }
    }
  }
  fit.volume_spread = std::sqrt(spread / std::max(count, 1.0));
}

}  // namespace

ActiveShapeFit fit_active_shape(const mesh::Shape& passive_shape, const mesh::Shape& active_shape,
                                const ActiveShapeSettings& settings) {
  SINEW_CHECK(settings.margin >= 1, "a map needs a cell around the muscle");
  const double spacing = choose_spacing(passive_shape, settings.spacing);
  const Solid passive = make_solid(passive_shape, spacing / 2);
  const Solid active = make_solid(active_shape, spacing / 2);
  ActiveShapeFit fit;
  fit.volume_ratio = active.volume / passive.volume;

  ActiveMap start;
  start.lattice =
      make_spline_lattice(mesh::compute_bounds(passive_shape), spacing, settings.margin);
  start.center = passive.centroid;
  start.shift = active.centroid - passive.centroid;
  const double scale = std::cbrt(passive.volume);
  std::vector<FitSpring> springs;
  const std::optional<Ends> passive_ends = find_ends(passive);
  std::optional<Ends> active_ends = find_ends(active);
  if (passive_ends && active_ends) {
    match_ends(*passive_ends, *active_ends);
    const Vec3d a = normalized(passive_ends->centers[1] - passive_ends->centers[0]);
    const Vec3d b = normalized(active_ends->centers[1] - active_ends->centers[0]);
    const double angle = std::atan2(norm(cross(a, b)), dot(a, b));
    if (angle > kLargeTurn) {
      const Vec3d across = cross(a, b);
      start.axis = norm(across) > 1e-9 ? normalized(across) : any_perpendicular(a);
      start.angle = fit.turn = angle;
    }
    for (std::size_t e = 0; e < 2; ++e) {
      springs.push_back({passive_ends->points[e], active_ends->centers[e], 3 * scale});
    }
  }
  for (const auto& [from, to] : settings.landmarks)
    springs.push_back({{{from, 1.0}}, to, 100 * scale});

  ActiveFit problem(passive_shape, active_shape, passive.points, active.points, fit.volume_ratio,
                    start);
  problem.set_springs(springs);
  std::vector<double> x = problem.coefficients();
  for (const double stiffness : kStages) {
    FitWeights weights;
    weights.surface = stiffness;
    problem.set_weights(weights);
    const std::vector<double> diagonal = problem.compute_diagonal();
    for (int round = 0; round < kMatches; ++round) {
      problem.match();
      const DescentReport report =
          descend([&](const std::vector<double>& at,
                      std::vector<double>& gradient) { return problem.evaluate(at, gradient); },
                  diagonal, kIterations, 1e-3, x);
      fit.iterations += report.iterations;
      problem.set_coefficients(x);
    }
  }
  fit.map = problem.map();
  measure(passive, active, active_shape, passive_shape, fit);
  return fit;
}

}  // namespace sinew::anatomy
