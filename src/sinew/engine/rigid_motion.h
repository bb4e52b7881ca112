// A rigid motion in time by key frames: a turn about a fixed axis, then a shift. What bones do to
// the tissue that is attached to them.
#pragma once

#include <optional>

#include "sinew/core/vec.h"
#include "sinew/engine/key_frames.h"

namespace sinew::engine {

struct RigidMotion {
  Vec3d travel{0, 0, 0};           // m for a shift value of 1
  std::optional<KeyFrames> shift;  // absent: none
  Vec3d center{0, 0, 0};           // a point of the axis, m
  Vec3d axis{0, 0, 1};             // unit
  std::optional<KeyFrames> angle;  // rad; absent: no turn
};

struct RigidPose {
  Mat3d rotation;
  Vec3d translation;  // m: x = rotation X + translation
};

constexpr Vec3d apply(const RigidPose& pose, const Vec3d& x) {
  return pose.rotation * x + pose.translation;
}
// The point that the pose takes to x.
constexpr Vec3d apply_inverse(const RigidPose& pose, const Vec3d& x) {
  return transpose(pose.rotation) * (x - pose.translation);
}

// A force and a torque about the origin, in the world's axes.
struct Wrench {
  Vec3d force{0, 0, 0};   // N
  Vec3d torque{0, 0, 0};  // N m
};
constexpr void add_force(const Vec3d& point, const Vec3d& force, Wrench& wrench) {
  wrench.force += force;
  wrench.torque += cross(point, force);
}

RigidPose evaluate(const RigidMotion& motion, double time);

// The rotation by `angle` (rad) about a unit axis.
Mat3d make_rotation(const Vec3d& axis, double angle);

}  // namespace sinew::engine
