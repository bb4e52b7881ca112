#include "sinew/eulerian/frame_motion.h"

#include <algorithm>
#include <cmath>

namespace sinew::eulerian {
namespace {

// The rotation vector of R.
Vec3d log_rotation(const Mat3d& R) {
  const Vec3d w{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  const double sine = norm(w) / 2, cosine = std::clamp((trace(R) - 1) / 2, -1.0, 1.0);
  const double angle = std::atan2(sine, cosine);
  return sine < 1e-12 ? w * 0.5 : w * (angle / (2 * sine));
}

}  // namespace

GridMotion find_grid_motion(const Model& model, std::size_t grid, double time, double dt) {
  const engine::RigidPose pose = find_grid_pose(model, grid, time);
  const engine::RigidPose next = find_grid_pose(model, grid, time + dt);
  return {(next.translation - pose.translation) / dt,
          log_rotation(next.rotation * transpose(pose.rotation)) / dt};
}

FrameMotion find_frame_motion(const Model& model, std::size_t grid, double time, double dt,
                              const State& state) {
  FrameMotion out;
  out.pose = find_grid_pose(model, grid, time);
  out.moving = model.grids[grid].bone.has_value() || model.grids[grid].motion.has_value();
  if (!out.moving) return out;
  out.now = find_grid_motion(model, grid, time, dt);
  out.acceleration = (out.now.velocity - state.grids[grid].velocity) / dt;
  out.angular_acceleration = (out.now.angular_velocity - state.grids[grid].angular_velocity) / dt;
  return out;
}

Vec3d felt_acceleration(const engine::World& world, const FrameMotion& frame, double time,
                        const Vec3d& x, const Vec3d& v) {
  if (!frame.moving) return engine::compute_acceleration(world, time, x, v);
  const Vec3d r = frame.pose.rotation * x, u = frame.pose.rotation * v;
  const Vec3d& w = frame.now.angular_velocity;
  const Vec3d dragged = frame.now.velocity + cross(w, r);
  const Vec3d a =
      engine::compute_acceleration(world, time, frame.pose.translation + r, dragged + u) -
      frame.acceleration - cross(frame.angular_acceleration, r) - cross(w, cross(w, r)) -
      2.0 * cross(w, u);
  return transpose(frame.pose.rotation) * a;
}

}  // namespace sinew::eulerian
