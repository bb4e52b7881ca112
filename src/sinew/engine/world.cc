#include "sinew/engine/world.h"

#include <algorithm>
#include <cmath>

namespace sinew::engine {
namespace {

Vec3d acceleration(const UniformField& field, const Vec3d&, const Vec3d&) {
  return field.acceleration;
}

Vec3d acceleration(const PointField& field, const Vec3d& x, const Vec3d&) {
  const Vec3d towards = field.center - x;
  const double r = norm(towards);
  if (r <= field.radius) return towards * (field.strength / field.radius);
  const double ratio = field.radius / r;
  return towards * (field.strength * ratio * ratio / r);
}

Vec3d acceleration(const PlaneField& field, const Vec3d& x, const Vec3d&) {
  const double side = dot(x - field.point, field.normal) / field.width;
  return field.normal * (-field.strength * std::clamp(side, -1.0, 1.0));
}

Vec3d acceleration(const WindField& field, const Vec3d&, const Vec3d& v) {
  return field.rate * (field.velocity - v);
}

double rate(const UniformField&) {
  return 0;
}

double rate(const PointField& field) {
  return std::sqrt(std::abs(field.strength) / field.radius);
}

double rate(const PlaneField& field) {
  return std::sqrt(std::abs(field.strength) / field.width);
}

double rate(const WindField& field) {
  return field.rate;
}

double strength(const ForceField& field, double time) {
  return field.strength ? evaluate(*field.strength, time) : 1.0;
}

}  // namespace

Vec3d compute_acceleration(const World& world, double time, const Vec3d& x, const Vec3d& v) {
  Vec3d sum = world.gravity;
  for (const ForceField& field : world.fields) {
    sum += strength(field, time) *
           std::visit([&](const auto& form) { return acceleration(form, x, v); }, field.form);
  }
  return sum;
}

double compute_field_rate(const World& world, double time) {
  double sum = 0;
  for (const ForceField& field : world.fields) {
    // A factor above 1 speeds a drag up by itself, a swing by its root: the larger bounds both.
    sum += std::max(1.0, std::abs(strength(field, time))) *
           std::visit([](const auto& form) { return rate(form); }, field.form);
  }
  return sum;
}

RigidPose find_pose(const World& world, const Collider& collider, double time) {
  if (collider.bone) return world.bones.pose(*collider.bone, time);
  const double shift = collider.motion ? evaluate(*collider.motion, time) : 0;
  return {Mat3d::identity(), shift * collider.travel};
}

}  // namespace sinew::engine
