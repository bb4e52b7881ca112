#include "sinew/levelset/csg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/mesh/isosurface.h"

namespace sinew::levelset {
namespace {

constexpr int kPieces = 8;  // straight pieces a span of the spline

template <class Combine>
LevelSet combine(const LevelSet& a, const LevelSet& b, const Combine& combined) {
  SINEW_CHECK(a.voxel() == b.voxel(), "level sets need one voxel size");
  const IndexBox inside = unite(a.inside_box(), b.inside_box());
  if (is_empty(inside)) return LevelSet(a.voxel());
  const IndexBox box = grow(inside, kBand);
  volume::Field field = a.crop(box);
  const volume::Field other = b.crop(box);
  for (std::size_t n = 0; n < field.voxels.size(); ++n) {
    field.voxels[n] = combined(field.voxels[n], other.voxels[n]);
  }
  redistance(field, kBand * a.voxel());
  return LevelSet(field);
}

struct Ball {
  Vec3d center;
  double radius;
};

// Points of the Catmull-Rom spline; radii run linearly between the given ones.
std::vector<Ball> sample_spline(std::span<const Vec3d> points, std::span<const double> radii) {
  std::vector<Ball> balls;
  const std::size_t last = points.size() - 1;
  for (std::size_t n = 0; n < last; ++n) {
    const Vec3d b = points[n], c = points[n + 1];
    const Vec3d a = n > 0 ? points[n - 1] : b - (c - b);
    const Vec3d d = n + 1 < last ? points[n + 2] : c + (c - b);
    for (int p = 0; p < kPieces; ++p) {
      const double t = static_cast<double>(p) / kPieces;
      const Vec3d at = b * 2.0 + (c - a) * t + (a * 2.0 - b * 5.0 + c * 4.0 - d) * (t * t) +
                       (b * 3.0 - a - c * 3.0 + d) * (t * t * t);
      balls.push_back({at * 0.5, radii[n] + t * (radii[n + 1] - radii[n])});
    }
  }
  balls.push_back({points[last], radii[last]});
  return balls;
}

// Of the balls between two, the one that reaches nearest along the axis: its distance and radius.
Ball nearest_between(const Ball& a, const Ball& b, const Vec3d& x) {
  const Vec3d axis = b.center - a.center;
  const double squares = dot(axis, axis);
  const double t = squares > 0 ? std::clamp(dot(x - a.center, axis) / squares, 0.0, 1.0) : 0.0;
  return {a.center + axis * t, a.radius + t * (b.radius - a.radius)};
}

// A minimum with a round corner of width k (polynomial, Quilez 2013).
double blend(double a, double b, double k) {
  const double overlap = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - overlap * overlap * k / 4;
}

// The chain's distance and the radius there.
std::pair<double, double> distance_to(const std::vector<Ball>& chain, const Vec3d& x) {
  std::pair<double, double> best{norm(x - chain[0].center) - chain[0].radius, chain[0].radius};
  for (std::size_t n = 0; n + 1 < chain.size(); ++n) {
    const Ball ball = nearest_between(chain[n], chain[n + 1], x);
    best = std::min(best, std::pair{norm(x - ball.center) - ball.radius, ball.radius});
  }
  return best;
}

}  // namespace

LevelSet make_union(const LevelSet& a, const LevelSet& b) {
  return combine(a, b, [](float x, float y) { return std::min(x, y); });
}

LevelSet make_intersection(const LevelSet& a, const LevelSet& b) {
  return combine(a, b, [](float x, float y) { return std::max(x, y); });
}

LevelSet make_difference(const LevelSet& a, const LevelSet& b) {
  return combine(a, b, [](float x, float y) { return std::max(x, -y); });
}

void add_capsules(LevelSet& level_set, std::span<const Vec3d> points,
                  std::span<const double> radii) {
  SINEW_CHECK(!points.empty() && points.size() == radii.size(), "capsules need points and radii");
  const double h = level_set.voxel();
  const std::vector<Ball> chain = sample_spline(points, radii);
  IndexBox inside = level_set.inside_box();
  for (const Ball& ball : chain) {
    const double reach = 1.25 * ball.radius;
    const Vec3d extent{reach, reach, reach};
    inside = unite(inside, box_around({ball.center - extent, ball.center + extent}, h));
  }
  volume::Field field = level_set.crop(grow(inside, kBand));
  for (std::size_t n = 0; n < field.voxels.size(); ++n) {
    const Vec3d x = volume::position_of(field.grid, volume::index_at(field.grid, n));
    const auto [distance, radius] = distance_to(chain, x);
    if (distance > 2 * h + radius) continue;
    field.voxels[n] = static_cast<float>(blend(field.voxels[n], distance, 0.5 * radius));
  }
  redistance(field, kBand * h);
  level_set = LevelSet(field);
}

mesh::Surface make_surface(const LevelSet& level_set, double spacing) {
  const int margin = static_cast<int>(std::ceil(2 * spacing / level_set.voxel())) + 1;
  return mesh::make_isosurface({mesh::Sampled{level_set.sample(margin)}}, spacing);
}

}  // namespace sinew::levelset
