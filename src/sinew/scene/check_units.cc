#include "sinew/scene/check_units.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/mesh/surface.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::scene {

void ask_for_scale(const Table& table, std::string_view key, const Vec3d& size) {
  if (table.has("scale") || std::max({size.x, size.y, size.z}) <= kLargestUnasked) return;
  table.fail(key,
             fmt::format("measures {:.3g} x {:.3g} x {:.3g} m if its unit is the metre; beyond "
                         "{} m say which it is: scale = 0.001 for mm, 0.01 for cm, 1 for m",
                         size.x, size.y, size.z, kLargestUnasked));
}

Vec3d measure_skeleton(const skeleton::Skeleton& skeleton) {
  skeleton::Kinematics at_rest;
  evaluate_kinematics(skeleton, rest_pose(skeleton), at_rest);
  if (at_rest.bodies.empty()) return {0, 0, 0};
  std::vector<Vec3d> places;
  places.reserve(at_rest.bodies.size());
  for (const skeleton::Frame& frame : at_rest.bodies) places.push_back(frame.translation);
  const mesh::Bounds box = mesh::compute_bounds(places);
  return box.high - box.low;
}

void check_near(const Table& table, std::string_view key, const Vec3d& point,
                const mesh::Shape& body, double most) {
  const mesh::Bounds box = mesh::compute_bounds(body);
  Vec3d off;
  for (std::size_t a = 0; a < 3; ++a)
    off[a] = std::max({box.low[a] - point[a], point[a] - box.high[a], 0.0});
  const double diagonal = norm(box.high - box.low);
  if (norm(off) <= most * diagonal) return;
  table.fail(key, fmt::format("is {:.3g} m off the body, which is {:.3g} m long; allowed: up to "
                              "{:.3g} m. It is a place in metres, where the body is",
                              norm(off), diagonal, most * diagonal));
}

}  // namespace sinew::scene
