#include "sinew/mesh/surface_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sinew/core/error.h"

namespace sinew::mesh {
namespace {

constexpr std::uint32_t kLeafSize = 4;
// Below this ratio of area to squared edge the direction of a normal is rounding error.
constexpr double kFlat = 1e-12;
// Above the rounding of a coordinate and above the gap that a flat triangle leaves (an edge is at
// most 3.5 times the largest coordinate), far below any real detail.
constexpr double kRelativeTolerance = 4e-12;
// Halving 2^32 triangles down to leaves needs 32 levels, each leaving one sibling to visit.
constexpr std::size_t kStackSize = 64;

// Where on a triangle a point lies.
enum class Feature { kFace, kEdge, kCorner };

struct TrianglePoint {
  Vec3d position;
  Feature feature;
  std::size_t corner;  // which one, for kCorner
};

TrianglePoint closest_on_edge(const Vec3d* corners, std::size_t i, const Vec3d& x) {
  const Vec3d& a = corners[i];
  const Vec3d edge = corners[(i + 1) % 3] - a;
  const double t = dot(x - a, edge) / dot(edge, edge);
  if (!(t > 0)) return {a, Feature::kCorner, i};
  if (t >= 1) return {corners[(i + 1) % 3], Feature::kCorner, (i + 1) % 3};
  return {a + t * edge, Feature::kEdge, i};
}

double squared_distance(const Vec3d& a, const Vec3d& b) {
  const Vec3d d = a - b;
  return dot(d, d);
}

TrianglePoint closest_on_triangle(const Vec3d* corners, const Vec3d& normal, const Vec3d& x) {
  bool inside = true;
  for (std::size_t i = 0; i < 3 && inside; ++i) {
    const Vec3d edge = corners[(i + 1) % 3] - corners[i];
    inside = dot(cross(edge, x - corners[i]), normal) > 0;
  }
  if (inside) return {x - dot(x - corners[0], normal) * normal, Feature::kFace, 0};
  TrianglePoint best = closest_on_edge(corners, 0, x);
  for (std::size_t i = 1; i < 3; ++i) {
    const TrianglePoint other = closest_on_edge(corners, i, x);
    if (squared_distance(other.position, x) < squared_distance(best.position, x)) best = other;
  }
  return best;
}

// The angle of the surface round the point that this triangle covers.
double covered_angle(const Vec3d* corners, const TrianglePoint& point) {
  if (point.feature == Feature::kFace) return 2 * std::numbers::pi;
  if (point.feature == Feature::kEdge) return std::numbers::pi;
  const Vec3d a = corners[(point.corner + 1) % 3] - corners[point.corner];
  const Vec3d b = corners[(point.corner + 2) % 3] - corners[point.corner];
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

double squared_distance(const Bounds& box, const Vec3d& x) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = std::max({box.low[i] - x[i], x[i] - box.high[i], 0.0});
    sum += d * d;
  }
  return sum;
}

}  // namespace

struct SurfaceDistance::Closest {
  Vec3d position;
  Feature feature;
  Vec3d normal;  // of the triangle it was found on
};

struct SurfaceDistance::Build {
  std::uint32_t node, begin, end;
};

SurfaceDistance::SurfaceDistance(Surface surface) : surface_(std::move(surface)) {
  for (const auto& t : surface_.triangles) {
    const auto& p = surface_.positions;
    const Vec3d a = p[t[1]] - p[t[0]];
    const Vec3d b = p[t[2]] - p[t[0]];
    const Vec3d c = p[t[2]] - p[t[1]];
    const Vec3d area = cross(a, b);
    const double longest = std::max({dot(a, a), dot(b, b), dot(c, c)});
    if (!(norm(area) > kFlat * longest)) continue;
    triangles_.push_back({{p[t[0]], p[t[1]], p[t[2]]}, normalized(area)});
  }
  SINEW_CHECK(!triangles_.empty(), "a surface needs a triangle with an area");
  const Bounds bounds = mesh::compute_bounds(surface_.positions);
  for (std::size_t i = 0; i < 3; ++i) {
    tolerance_ = std::max({tolerance_, kRelativeTolerance * std::abs(bounds.low[i]),
                           kRelativeTolerance * std::abs(bounds.high[i])});
  }
  build();
}

// Halves the triangles at the median centre along the longest side of their box, until few remain.
void SurfaceDistance::build() {
  nodes_.reserve(triangles_.size());
  nodes_.resize(1);
  std::vector<Build> open = {{0, 0, static_cast<std::uint32_t>(triangles_.size())}};
  while (!open.empty()) {
    const Build task = open.back();
    open.pop_back();
    Bounds box{triangles_[task.begin].corners[0], triangles_[task.begin].corners[0]};
    for (std::uint32_t k = task.begin; k < task.end; ++k) {
      for (const Vec3d& corner : triangles_[k].corners) {
        for (std::size_t i = 0; i < 3; ++i) {
          box.low[i] = std::min(box.low[i], corner[i]);
          box.high[i] = std::max(box.high[i], corner[i]);
        }
      }
    }
    if (task.end - task.begin <= kLeafSize) {
      nodes_[task.node] = {box, task.begin, task.end - task.begin};
      continue;
    }
    const Vec3d side = box.high - box.low;
    const std::size_t axis =
        side.x >= side.y ? (side.x >= side.z ? 0 : 2) : (side.y >= side.z ? 1 : 2);
    const auto center = [axis](const Triangle& t) {
      return t.corners[0][axis] + t.corners[1][axis] + t.corners[2][axis];
    };
    const std::uint32_t middle = task.begin + (task.end - task.begin) / 2;
    std::nth_element(triangles_.begin() + task.begin, triangles_.begin() + middle,
                     triangles_.begin() + task.end,
                     [&](const Triangle& a, const Triangle& b) { return center(a) < center(b); });
    const auto left = static_cast<std::uint32_t>(nodes_.size());
    nodes_[task.node] = {box, left, 0};
    nodes_.resize(nodes_.size() + 2);
    open.push_back({left, task.begin, middle});
    open.push_back({left + 1, middle, task.end});
  }
}

SurfaceDistance::Closest SurfaceDistance::find_closest(const Vec3d& x) const {
  Closest best{x, Feature::kFace, {0, 1, 0}};
  double best_squared = std::numeric_limits<double>::infinity();
  std::array<std::pair<double, std::uint32_t>, kStackSize> stack;
  std::size_t size = 0;
  stack[size++] = {squared_distance(nodes_[0].bounds, x), 0};
  while (size > 0) {
    const auto [box_squared, index] = stack[--size];
    if (!(box_squared < best_squared)) continue;
    const Node& node = nodes_[index];
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const Triangle& t = triangles_[k];
      const TrianglePoint p = closest_on_triangle(t.corners, t.normal, x);
      const double squared = squared_distance(p.position, x);
      if (!(squared < best_squared)) continue;
      best_squared = squared;
      best = {p.position, p.feature, t.normal};
    }
    if (node.count > 0) continue;
    std::pair<double, std::uint32_t> near{squared_distance(nodes_[node.first].bounds, x),
                                          node.first};
    std::pair<double, std::uint32_t> far{squared_distance(nodes_[node.first + 1].bounds, x),
                                         node.first + 1};
    if (far.first < near.first) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return best;
}

// Sum of the normals of all triangles whose point closest to x is `at`, each by its angle there.
Vec3d SurfaceDistance::pseudo_normal(const Vec3d& x, const Vec3d& at) const {
  // The rounding of a closest point grows with the distance from which it was found.
  const double slack = tolerance_ + kRelativeTolerance * norm(x - at);
  const double reach = slack * slack;
  Vec3d sum{0, 0, 0};
  std::array<std::uint32_t, kStackSize> stack;
  std::size_t size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    if (squared_distance(node.bounds, at) > reach) continue;
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const Triangle& t = triangles_[k];
      const TrianglePoint p = closest_on_triangle(t.corners, t.normal, x);
      if (squared_distance(p.position, at) <= reach) sum += covered_angle(t.corners, p) * t.normal;
    }
    if (node.count > 0) continue;
    stack[size++] = node.first;
    stack[size++] = node.first + 1;
  }
  return sum;
}

DistanceSample SurfaceDistance::sample(const Vec3d& x) const {
  const Closest closest = find_closest(x);
  const Vec3d out =
      closest.feature == Feature::kFace ? closest.normal : pseudo_normal(x, closest.position);
  const Vec3d away = x - closest.position;
  const double distance = norm(away);
  // On the surface `away` is rounding error, and the surface's own normal is the better one.
  if (distance <= tolerance_) {
    const double size = norm(out);
    return {std::copysign(distance, dot(away, out)), size > 0 ? out / size : closest.normal};
  }
  const double sign = dot(away, out) < 0 ? -1 : 1;
  return {sign * distance, (sign / distance) * away};
}

}  // namespace sinew::mesh
