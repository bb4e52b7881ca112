#include "sinew/engine/world.h"

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

Vec3d acceleration(const WindField& field, const Vec3d&, const Vec3d& v) {
  return field.rate * (field.velocity - v);
}

}  // namespace

Vec3d compute_acceleration(const World& world, double time, const Vec3d& x, const Vec3d& v) {
  Vec3d sum = world.gravity;
  for (const ForceField& field : world.fields) {
    const double factor = field.strength ? evaluate(*field.strength, time) : 1.0;
    sum +=
        factor * std::visit([&](const auto& form) { return acceleration(form, x, v); }, field.form);
  }
  return sum;
}

Vec3d displacement(const Collider& collider, double time) {
  if (!collider.motion) return {0, 0, 0};
  return evaluate(*collider.motion, time) * collider.travel;
}

Vec3d velocity(const Collider& collider, double time) {
  if (!collider.motion) return {0, 0, 0};
  return evaluate_rate(*collider.motion, time) * collider.travel;
}

}  // namespace sinew::engine
