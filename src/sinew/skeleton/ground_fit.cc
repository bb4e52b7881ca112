#include "sinew/skeleton/ground_fit.h"

#include <array>
#include <cmath>
#include <string>

namespace sinew::skeleton {
namespace {

constexpr std::size_t kBase = 1;  // the body that takes the ground's place

void add_base_joint(Skeleton& skeleton, Body& base, bool may_turn) {
  const std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t k = 0; k < 6; ++k) {
    Coordinate coordinate;
    coordinate.name = "ground " + std::to_string(k);
    coordinate.body = kBase;
    coordinate.rotational = k < 3;
    coordinate.locked = coordinate.rotational && !may_turn;
    base.joint.axes[k] = {axes[k % 3], skeleton.coordinates.size(), make_line(1, 0)};
    base.joint.coordinates.push_back(skeleton.coordinates.size());
    skeleton.coordinates.push_back(coordinate);
  }
}

// Equation (69): all that stands on the ground stands on a body that floats over it. Coordinates
// keep their indices, other bodies have one more.
Skeleton float_ground(const Skeleton& skeleton, bool may_turn) {
  Skeleton out;
  out.coordinates = skeleton.coordinates;
  for (Coordinate& coordinate : out.coordinates)
    if (coordinate.body != kNone) ++coordinate.body;
  out.constraints = skeleton.constraints;
  for (PointConstraint& constraint : out.constraints)
    for (std::size_t& body : constraint.bodies) ++body;
  Body base;
  base.name = "base";
  base.parent = kGround;
  add_base_joint(out, base, may_turn);
  out.bodies = {skeleton.bodies[kGround], base};
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
    out.bodies.push_back(skeleton.bodies[b]);
    ++out.bodies.back().parent;
  }
  return out;
}

}  // namespace

GroundFit fit_ground(const Skeleton& skeleton, PoseGoals goals, bool may_turn) {
  constexpr int kStarts = 24;  // as many as a first frame has
  const Skeleton floating = float_ground(skeleton, may_turn);
  for (PointGoal& goal : goals.points) ++goal.body;
  PoseWorkspace workspace;
  const PoseSolution pose =
      solve_pose_from_starts(floating, goals, find_free_coordinates(floating, goals),
                             rest_pose(floating), kStarts, {1e-7, 300}, workspace);
  Kinematics kinematics;
  evaluate_kinematics(floating, pose.q, kinematics);
  GroundFit fit;
  fit.frame = inverse(kinematics.bodies[kBase]);
  for (const PointGoal& goal : goals.points) {
    const Vec3d off = apply(kinematics.bodies[goal.body], goal.location) - goal.target;
    fit.rms += dot(off, off) / static_cast<double>(goals.points.size());
  }
  fit.rms = std::sqrt(fit.rms);
  return fit;
}

}  // namespace sinew::skeleton
