// How a grid that moves is felt on it: gravity and fields turned into its axes, and the forces of
// its acceleration (Eulerian-on-Lagrangian). docs/theory/eulerian.md, eq. 2.
#pragma once

#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"

namespace sinew::eulerian {

struct FrameMotion {
  engine::RigidPose pose;  // of the grid in the world
  GridMotion now;          // of this step
  Vec3d acceleration{};    // of the grid's origin, m/s^2, world axes
  Vec3d angular_acceleration{};
  bool moving = false;
};

// Velocities of a step are those that take the pose at `time` to that at `time + dt`;
// accelerations are from those of the step before (none in the first step).
FrameMotion find_frame_motion(const Model& model, std::size_t grid, double time, double dt,
                              const State& state);

// Acceleration of a free point at x with velocity v, all seen on the grid, m/s^2.
Vec3d felt_acceleration(const engine::World& world, const FrameMotion& frame, double time,
                        const Vec3d& x, const Vec3d& v);

}  // namespace sinew::eulerian
