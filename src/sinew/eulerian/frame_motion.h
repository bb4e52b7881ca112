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

// The velocities that take the grid's pose at `time` to that at `time + dt`.
GridMotion find_grid_motion(const Model& model, std::size_t grid, double time, double dt);

// With accelerations from the velocities of the step before, or those that the grid starts with.
FrameMotion find_frame_motion(const Model& model, std::size_t grid, double time, double dt,
                              const State& state);

// Acceleration of a free point at x with velocity v, all seen on the grid, m/s^2.
Vec3d felt_acceleration(const engine::World& world, const FrameMotion& frame, double time,
                        const Vec3d& x, const Vec3d& v);

}  // namespace sinew::eulerian
