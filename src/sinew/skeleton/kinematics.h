// Where bodies are in a pose and how they move with each coordinate: the basis of paths, moment
// arms, inverse kinematics and attachments. Own code instead of Simbody's, since a pose costs
// microseconds this way.
//
// Source: docs/theory/skeleton.md, equations (1)-(4).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// A rigid velocity field in the ground's frame: v(x) = linear + angular x x.
struct Twist {
  Vec3d angular{0, 0, 0};  // 1/s
  Vec3d linear{0, 0, 0};   // m/s at the ground's origin
};
constexpr Vec3d velocity_at(const Twist& twist, const Vec3d& x) {
  return twist.linear + cross(twist.angular, x);
}

struct Kinematics {
  std::vector<Frame> bodies;  // (num_bodies) in the ground
  // (num_coordinates) how a coordinate's unit rate moves its body, and with it all bodies beyond,
  // relative to the parent. Couplers are not in it: see reduce_to_independent.
  std::vector<Twist> coordinates;
};

// Fills `kinematics` for the pose q (num_coordinates; couplers already applied).
void evaluate_kinematics(const Skeleton& skeleton, const std::vector<double>& q,
                         Kinematics& kinematics);

// Adds what wrenches on bodies (num_bodies; about the ground's origin) mean for every coordinate,
// by virtual work, to `forces` (num_coordinates). Couplers are not in it. The wrenches are used up.
void add_generalized_forces(const Skeleton& skeleton, const Kinematics& kinematics,
                            std::vector<engine::Wrench>& wrenches, double* forces);

// Which coordinates move which bodies: (num_bodies) lists of coordinate indices, increasing.
std::vector<std::vector<std::size_t>> moving_coordinates(const Skeleton& skeleton);

// Adds what a coupled coordinate's entry of a gradient means for the one it follows, and sets it to
// zero: g_i += f'(q_i) g_dep. `gradient`: (num_coordinates).
void reduce_to_independent(const Skeleton& skeleton, const std::vector<double>& q,
                           std::vector<double>& gradient);

}  // namespace sinew::skeleton
