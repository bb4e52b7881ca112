// Small skeletons with wrap objects, for the tests of paths.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/paths.h"

namespace sinew::skeleton {

// Uniform in low..high; the same numbers on every machine, unlike the standard's distributions.
inline double draw(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}
inline Vec3d draw_vector(std::mt19937& random, double size) {
  const double x = draw(random, -size, size), y = draw(random, -size, size);
  return {x, y, draw(random, -size, size)};
}

inline WrapObject make_object(WrapObject::Shape shape, const Vec3d& size, int quadrant = 0) {
  WrapObject object;
  object.shape = shape;
  object.size = size;
  object.quadrant = quadrant;
  return object;
}

// The ground and a body that turns and shifts freely about it: six coordinates.
inline Skeleton make_free_body() {
  Skeleton skeleton;
  skeleton.bodies.resize(2);
  skeleton.bodies[1].parent = kGround;
  for (std::size_t k = 0; k < 6; ++k) {
    Vec3d axis{0, 0, 0};
    axis[k % 3] = 1;
    skeleton.bodies[1].joint.axes[k] = {axis, k, make_line(1, 0)};
    skeleton.bodies[1].joint.coordinates.push_back(k);
    Coordinate coordinate;
    coordinate.body = 1;
    coordinate.rotational = k < 3;
    skeleton.coordinates.push_back(coordinate);
  }
  return skeleton;
}

// A muscle from the ground to the body over all objects of the skeleton.
inline void add_muscle(Skeleton& skeleton, const Vec3d& origin, const Vec3d& insertion) {
  Muscle muscle;
  muscle.path.points.resize(2);
  muscle.path.points[0].location = origin;
  muscle.path.points[1].location = insertion;
  muscle.path.points[1].body = 1;
  for (std::size_t i = 0; i < skeleton.wrap_objects.size(); ++i) {
    PathWrap wrap;
    wrap.object = i;
    muscle.path.wraps.push_back(wrap);
  }
  skeleton.muscles.push_back(muscle);
}

inline PathTable evaluate_pose(const Skeleton& skeleton, const std::vector<double>& q,
                               WrapRules rules) {
  Kinematics kinematics;
  PathWorkspace workspace;
  PathTable table;
  evaluate_kinematics(skeleton, q, kinematics);
  evaluate_paths(skeleton, kinematics, q, rules, workspace, table);
  return table;
}

inline double path_length(const Skeleton& skeleton, std::vector<double> q, std::size_t muscle,
                          WrapRules rules) {
  apply_couplers(skeleton, q);
  return evaluate_pose(skeleton, q, rules).lengths[muscle];
}

// -dL/dq by fourth-order central differences.
inline double differentiate_length(const Skeleton& skeleton, const std::vector<double>& q,
                                   std::size_t muscle, std::size_t coordinate) {
  constexpr double kStep = 1e-4;
  const auto length = [&](double by) {
    std::vector<double> moved = q;
    moved[coordinate] += by;
    return path_length(skeleton, moved, muscle, WrapRules::kGeodesic);
  };
  const double near = length(kStep) - length(-kStep);
  const double far = length(2 * kStep) - length(-2 * kStep);
  return -(8 * near - far) / (12 * kStep);
}

}  // namespace sinew::skeleton
