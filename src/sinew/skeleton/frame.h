// Frames of bodies: a rotation and a translation that take a point of a frame to its parent's.
#pragma once

#include "sinew/core/vec.h"
#include "sinew/engine/rigid_motion.h"

namespace sinew::skeleton {

using Frame = engine::RigidPose;  // x_parent = rotation x + translation

inline constexpr Frame kIdentityFrame{Mat3d::identity(), {0, 0, 0}};

using engine::apply;          // a point of the frame in its parent's
using engine::apply_inverse;  // and back

// First b, then a.
constexpr Frame compose(const Frame& a, const Frame& b) {
  return {a.rotation * b.rotation, apply(a, b.translation)};
}
constexpr Frame inverse(const Frame& a) {
  const Mat3d back = transpose(a.rotation);
  return {back, -(back * a.translation)};
}

// Rx Ry Rz: turns about axes that turn with the body, in this order, as .osim files mean
// orientations. `angles`: rad.
Mat3d make_body_xyz(const Vec3d& angles);

}  // namespace sinew::skeleton
