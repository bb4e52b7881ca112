#include "sinew/skeleton/multibody.h"

#include "sinew/core/error.h"
#include "sinew/skeleton/multibody_core.h"

namespace sinew::skeleton {

Multibody::Multibody(const Skeleton& skeleton) : core_(std::make_unique<MultibodyCore>(skeleton)) {}
Multibody::~Multibody() = default;
Multibody::Multibody(Multibody&&) noexcept = default;
Multibody& Multibody::operator=(Multibody&&) noexcept = default;

const std::vector<std::string>& Multibody::adjusted_bodies() const {
  return core_->map.adjusted;
}

MultibodyState Multibody::rest_state() const {
  MultibodyState out;
  out.u.assign(core_->coordinates.size(), 0);
  out.q.reserve(core_->coordinates.size());
  for (const Coordinate& coordinate : core_->coordinates) out.q.push_back(coordinate.rest);
  core_->apply_couplers(out.q, out.u);
  return out;
}

std::vector<double> Multibody::inverse_dynamics(const std::vector<double>& q,
                                                const std::vector<double>& u,
                                                const std::vector<double>& udot,
                                                const std::vector<Load>& loads) {
  core_->set_pose(q, u);
  return core_->residual(udot, loads, true);
}

std::vector<double> Multibody::forward_dynamics(const std::vector<double>& q,
                                                const std::vector<double>& u,
                                                const AppliedForces& forces,
                                                const std::vector<KnownAcceleration>& known) {
  SINEW_CHECK(forces.generalized.empty() || forces.generalized.size() == q.size(),
              "generalised forces of all coordinates or of none");
  std::vector<double> held_udot(q.size(), 0);
  std::vector<std::size_t> held;
  held.reserve(known.size());
  for (const KnownAcceleration& one : known) held.push_back(one.coordinate);
  const std::vector<std::size_t> free = core_->free_coordinates(held);
  for (const KnownAcceleration& one : known) held_udot[one.coordinate] = one.value;
  core_->set_pose(q, u);
  const Independent independent = core_->make_independent(free, q, u, held_udot);
  return core_->solve_accelerations(independent, forces, {});
}

std::vector<double> Multibody::mass_matrix(const std::vector<double>& q) {
  core_->set_pose(q, std::vector<double>(q.size(), 0));
  return core_->mass_matrix().values;
}

Energy Multibody::energy(const std::vector<double>& q, const std::vector<double>& u) {
  core_->set_pose(q, u);
  Energy out{core_->tree->kinetic_energy(), 0};
  for (std::size_t i = 1; i < core_->bodies.size(); ++i) {
    const Body& body = core_->bodies[i];
    out.potential -= body.mass * dot(core_->gravity, apply(core_->body_frame(i), body.mass_center));
  }
  return out;
}

Momentum Multibody::momentum(const std::vector<double>& q, const std::vector<double>& u) {
  core_->set_pose(q, u);
  const TreeVelocity momentum = core_->tree->momentum();
  return {from_tree(momentum.linear), from_tree(momentum.angular)};
}

std::vector<Frame> Multibody::body_frames(const std::vector<double>& q) {
  core_->set_pose(q, std::vector<double>(q.size(), 0));
  std::vector<Frame> out(core_->bodies.size(), kIdentityFrame);
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = core_->body_frame(i);
  return out;
}

std::vector<Twist> Multibody::body_velocities(const std::vector<double>& q,
                                              const std::vector<double>& u) {
  core_->set_pose(q, u);
  std::vector<Twist> out(core_->bodies.size());
  for (std::size_t i = 1; i < out.size(); ++i) {
    const TreeVelocity velocity = core_->tree->velocity(core_->map.body_of[i]);
    out[i].angular = from_tree(velocity.angular);
    out[i].linear =
        from_tree(velocity.linear) - cross(out[i].angular, core_->body_frame(i).translation);
  }
  return out;
}

std::vector<Vec3d> Multibody::station_jacobian(const std::vector<double>& q, std::size_t body,
                                               const Vec3d& point) {
  core_->set_pose(q, std::vector<double>(q.size(), 0));
  return core_->station_jacobian(body, point);
}

}  // namespace sinew::skeleton
