#include "sinew/brick/grip.h"

#include <algorithm>
#include <cmath>

#include "sinew/brick/large_strain.h"
#include "sinew/brick/model.h"

namespace sinew::brick {
namespace {

constexpr double kReach = 0.35;       // of the cube root of the body's volume
constexpr double kLongest = 3;        // times that root
constexpr double kLiftRate = 18.8;    // rad/s of the body on the spring: 3 Hz
constexpr double kShapePart = 0.5;    // of what resists a push at the body's surface
constexpr double kDampingPart = 0.5;  // of the critical damping of the body on the spring

std::vector<NodeWeight> make_weights(const BodyModel& model, std::uint32_t vertex, double reach) {
  std::vector<double> weights(model.mesh.rest_positions.size(), 0.0);
  double sum = 0;
  for (std::size_t v = 0; v < model.rest_surface.size(); ++v) {
    const double s = norm(model.rest_surface[v] - model.rest_surface[vertex]) / reach;
    if (s >= 1) continue;
    const double part = (1 - s * s) * (1 - s * s);
    const EmbeddedPoint& point = model.form->points()[v];
    const BrickIndices& brick = model.mesh.bricks[point.brick];
    const ShapeValues shape = compute_shape(nodes_of(brick), point.xi);
    for (std::size_t i = 0; i < kBrickNodes; ++i) {
      if (brick[i] != kNoNode) weights[brick[i]] += part * shape.values[i];
    }
    sum += part;
  }
  std::vector<NodeWeight> result;
  for (std::uint32_t n = 0; n < weights.size(); ++n) {
    if (weights[n] != 0) result.push_back({n, weights[n] / sum});
  }
  return result;
}

double compute_mass(const BodyModel& model) {
  if (model.modal) return model.modal->mass;
  double mass = 0;
  for (std::size_t b = 0; b < model.large->volumes.size(); ++b) {
    mass += model.large->volumes[b] * model.large->materials[b].density;
  }
  return mass;
}

// N/m: of the slowest mode's swing, or mu V^(1/3).
double compute_resistance(const BodyModel& model, double mass) {
  if (model.modal) {
    const auto& frequencies = model.modal->frequencies;
    return frequencies.empty() ? 0 : mass * frequencies[0] * frequencies[0];
  }
  return small_strain_moduli(model.large->materials[0]).mu * std::cbrt(model.rest_volume);
}

Vec3d compute_mean(const Grip& grip, const std::vector<Vec3d>& values) {
  Vec3d sum{0, 0, 0};
  for (const auto& [node, weight] : grip.weights) sum += values[node] * weight;
  return sum;
}

}  // namespace

Grip make_grip(const BodyModel& model, const BodyState& state, std::uint32_t body,
               std::uint32_t vertex) {
  const double size = std::cbrt(model.rest_volume);
  Grip grip;
  grip.body = body;
  grip.vertex = vertex;
  grip.weights = make_weights(model, vertex, kReach * size);
  grip.target = compute_mean(grip, state.positions);
  grip.offset = grip.target - model.form->evaluate(state.positions, vertex);
  const double mass = compute_mass(model);
  grip.stiffness = mass * kLiftRate * kLiftRate + kShapePart * compute_resistance(model, mass);
  grip.damping = 2 * kDampingPart * std::sqrt(grip.stiffness * mass);
  grip.longest = kLongest * size;
  return grip;
}

void add_grip_rows(const Grip& grip, const BodyState& state, double horizon,
                   std::vector<Row>& rows) {
  const Vec3d away = compute_mean(grip, state.positions) - grip.target;
  const Vec3d speed = compute_mean(grip, state.velocities);
  const double k = grip.strength * grip.stiffness;
  const double c = std::sqrt(grip.strength) * grip.damping;
  const double most = k * grip.longest;
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    Row row;
    for (const auto& [node, weight] : grip.weights) {
      row.terms.push_back({grip.body, node, axis * weight});
    }
    const double force = -k * dot(away, axis) - c * dot(speed, axis);
    set_force({force, k, c, dot(speed, axis)}, horizon, row);
    row.low = -most;
    row.high = most;
    rows.push_back(std::move(row));
  }
}

}  // namespace sinew::brick
