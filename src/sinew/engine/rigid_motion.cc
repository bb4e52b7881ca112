#include "sinew/engine/rigid_motion.h"

#include <cmath>

namespace sinew::engine {

// Rodrigues' formula.
Mat3d make_rotation(const Vec3d& axis, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Mat3d turn = {{cross(axis, {1, 0, 0}), cross(axis, {0, 1, 0}), cross(axis, {0, 0, 1})}};
  return Mat3d::identity() * c + turn * s + Mat3d::outer(axis, axis) * (1 - c);
}

RigidPose evaluate(const RigidMotion& motion, double time) {
  const double angle = motion.angle ? evaluate(*motion.angle, time) : 0;
  const double shift = motion.shift ? evaluate(*motion.shift, time) : 0;
  const Mat3d rotation = make_rotation(motion.axis, angle);
  return {rotation, motion.center - rotation * motion.center + motion.travel * shift};
}

}  // namespace sinew::engine
