#include "sinew/skeleton/multibody_core.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::skeleton {
namespace {

// Each coupled coordinate after the one it follows.
std::vector<std::size_t> order_couplers(const std::vector<Coordinate>& coordinates) {
  std::vector<std::size_t> out;
  std::vector<bool> settled(coordinates.size());
  std::size_t num_coupled = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto& coupler = coordinates[i].coupler;
    if (coupler && coupler->independent >= coordinates.size())
      throw std::invalid_argument(
          fmt::format("coordinate '{}' follows one that does not exist", coordinates[i].name));
    settled[i] = !coupler;
    num_coupled += settled[i] ? 0 : 1;
  }
  out.reserve(num_coupled);
  for (std::size_t round = 0; round < num_coupled && out.size() < num_coupled; ++round)
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      if (!settled[i] && settled[coordinates[i].coupler->independent])
        settled[i] = true, out.push_back(i);
  if (out.size() < num_coupled) {
    const auto lost = std::find(settled.begin(), settled.end(), false) - settled.begin();
    throw std::invalid_argument(
        fmt::format("coordinate '{}' follows itself through a circle of couplers",
                    coordinates[static_cast<std::size_t>(lost)].name));
  }
  return out;
}

std::vector<double> to_mobilities(const Tree& map, const std::vector<double>& a) {
  std::vector<double> out(map.coordinate_of.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[map.coordinate_of[i]];
  return out;
}

// Moves a load to the body's origin, where the tree takes it.
void add_force(const Frame& frame, const Load& load, TreeForce& out) {
  const Vec3d torque = load.torque + cross(frame.rotation * load.point, load.force);
  for (std::size_t k = 0; k < 3; ++k) {
    out.force[k] += load.force[k];
    out.torque[k] += torque[k];
  }
}

}  // namespace

MultibodyCore::MultibodyCore(const Skeleton& skeleton)
    : coordinates(skeleton.coordinates),
      bodies(skeleton.bodies),
      constraints(skeleton.constraints),
      gravity(skeleton.gravity),
      map(make_tree(skeleton)),
      mobility_of(coordinates.size(), kNone),
      coupling_order(order_couplers(coordinates)),
      tree(std::make_unique<SimbodyTree>(map.bodies)) {
  for (std::size_t i = 0; i < map.coordinate_of.size(); ++i) mobility_of[map.coordinate_of[i]] = i;
}

void MultibodyCore::set_pose(const std::vector<double>& q, const std::vector<double>& u) {
  SINEW_CHECK(q.size() == coordinates.size() && u.size() == coordinates.size(),
              "a pose has as many entries as the skeleton has coordinates");
  tree->set_pose(to_mobilities(map, q), to_mobilities(map, u));
}

// Equation (33).
std::vector<double> MultibodyCore::residual(const std::vector<double>& udot,
                                            const std::vector<Load>& loads,
                                            bool with_gravity) const {
  SINEW_CHECK(udot.size() == coordinates.size(), "accelerations of all coordinates");
  std::vector<TreeForce> forces(map.bodies.size());
  for (std::size_t i = 1; with_gravity && i < bodies.size(); ++i) {
    const Load weight{i, bodies[i].mass_center, gravity * bodies[i].mass, {0, 0, 0}};
    add_force(body_frame(i), weight, forces[map.body_of[i]]);
  }
  for (const Load& load : loads) {
    SINEW_CHECK(load.body < bodies.size(), "a load is on a body of the skeleton");
    add_force(body_frame(load.body), load, forces[map.body_of[load.body]]);
  }
  const std::vector<double> of_tree = tree->residual(to_mobilities(map, udot), forces);
  std::vector<double> out(coordinates.size(), 0);
  for (std::size_t i = 0; i < of_tree.size(); ++i) out[map.coordinate_of[i]] = of_tree[i];
  return out;
}

DenseMatrix MultibodyCore::mass_matrix() const {
  const std::vector<double> of_tree = tree->mass_matrix();
  const std::size_t count = map.coordinate_of.size();
  DenseMatrix out;
  out.assign(coordinates.size(), coordinates.size(), 0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      out(map.coordinate_of[i], map.coordinate_of[j]) = of_tree[i * count + j];
  return out;
}

std::vector<Vec3d> MultibodyCore::station_jacobian(std::size_t body, const Vec3d& point) const {
  const std::vector<double> of_tree = tree->station_jacobian(map.body_of[body], to_tree(point));
  const std::size_t count = map.coordinate_of.size();
  std::vector<Vec3d> out(coordinates.size(), Vec3d{});
  for (std::size_t i = 0; i < count; ++i)
    out[map.coordinate_of[i]] = {of_tree[i], of_tree[count + i], of_tree[2 * count + i]};
  return out;
}

std::vector<std::size_t> MultibodyCore::free_coordinates(
    const std::vector<std::size_t>& held) const {
  SINEW_CHECK(
      std::all_of(held.begin(), held.end(), [&](std::size_t i) { return i < coordinates.size(); }),
      "a coordinate that is held exists");
  std::vector<std::size_t> out;
  out.reserve(coordinates.size());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const bool is_held = std::find(held.begin(), held.end(), i) != held.end();
    if (is_held && coordinates[i].coupler)
      throw std::invalid_argument(fmt::format(
          "coordinate '{}' follows another by a coupler and cannot have a motion of its own",
          coordinates[i].name));
    if (!is_held && !coordinates[i].coupler && !coordinates[i].locked && mobility_of[i] != kNone)
      out.push_back(i);
  }
  return out;
}

void MultibodyCore::apply_couplers(std::vector<double>& q, std::vector<double>& u) const {
  for (const std::size_t i : coupling_order) {
    const Coupler& coupler = *coordinates[i].coupler;
    const FunctionValue f = evaluate(coupler.function, q[coupler.independent]);
    q[i] = f.value;
    u[i] = f.first * u[coupler.independent];
  }
}

// Equations (34), (35).
Independent MultibodyCore::make_independent(const std::vector<std::size_t>& free,
                                            const std::vector<double>& q,
                                            const std::vector<double>& u,
                                            const std::vector<double>& held_udot) const {
  Independent out{free, {}, u, held_udot};
  out.to_all.assign(q.size(), free.size(), 0);
  for (std::size_t k = 0; k < free.size(); ++k) {
    out.to_all(free[k], k) = 1;
    out.rate_bias[free[k]] = out.acceleration_bias[free[k]] = 0;
  }
  for (const std::size_t i : coupling_order) {
    const std::size_t leader = coordinates[i].coupler->independent;
    const FunctionValue f = evaluate(coordinates[i].coupler->function, q[leader]);
    for (std::size_t k = 0; k < free.size(); ++k)
      out.to_all(i, k) = f.first * out.to_all(leader, k);
    out.rate_bias[i] = f.first * out.rate_bias[leader];
    out.acceleration_bias[i] =
        f.first * out.acceleration_bias[leader] + f.second * u[leader] * u[leader];
  }
  return out;
}

}  // namespace sinew::skeleton
