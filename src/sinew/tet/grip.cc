#include "sinew/tet/grip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/tet/model.h"

namespace sinew::tet {
namespace {

constexpr double kReach = 0.35;       // of the cube root of the body's volume
constexpr double kLiftRate = 18.8;    // rad/s of the body on the spring: 3 Hz
constexpr double kShapePart = 0.5;    // of mu V^(1/3), which resists a push at the body's surface
constexpr double kLongest = 3;        // times the cube root of the body's volume
constexpr double kDampingPart = 0.5;  // of the critical damping of the body on the spring

const Body& find_body(const Model& model, std::uint32_t vertex) {
  return *std::find_if(model.bodies.begin(), model.bodies.end(),
                       [&](const Body& body) { return vertex < body.vertices.end; });
}

double compute_mass(const Model& model, const Body& body) {
  double mass = 0;
  for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) mass += model.masses[n];
  return mass;
}

// 1 at the middle, 0 with zero slope from `reach` on.
double compute_falloff(double distance, double reach) {
  const double s = std::min(1.0, distance / reach);
  return (1 - s * s) * (1 - s * s);
}

std::vector<NodeWeight> make_weights(const Model& model, const Body& body, std::uint32_t vertex) {
  const double reach = std::max(body.spacing, kReach * std::cbrt(body.rest_volume));
  std::vector<double> weights(body.nodes.end - body.nodes.begin, 0.0);
  double sum = 0;
  for (std::uint32_t v = body.vertices.begin; v < body.vertices.end; ++v) {
    const double distance = norm(model.rest_vertices[v] - model.rest_vertices[vertex]);
    // Where vertices are dense each stands for less.
    const double part = model.vertex_areas[v] * compute_falloff(distance, reach);
    if (part == 0) continue;
    const mesh::EmbeddedPoint& point = model.vertices[v];
    for (std::size_t c = 0; c < 4; ++c) {
      weights[model.tets[point.tet][c] - body.nodes.begin] += part * point.weights[c];
    }
    sum += part;
  }
  std::vector<NodeWeight> result;
  for (std::uint32_t n = 0; n < weights.size(); ++n) {
    if (weights[n] != 0) result.push_back({body.nodes.begin + n, weights[n] / sum});
  }
  return result;
}

// What is left of the spring's stiffness at a distance from the target.
double compute_rest(const Grip& grip, const Vec3d& away) {
  const double distance = norm(away);
  return distance > grip.longest ? grip.longest / distance : 1;
}

// By components, for any field of vectors.
template <class Real>
Vec3d mean_of(const Grip& grip, const Field3<Real>& values) {
  Vec3d sum{0, 0, 0};
  for (const auto& [node, weight] : grip.weights) {
    sum += Vec3d{static_cast<double>(values.x()[node]), static_cast<double>(values.y()[node]),
                 static_cast<double>(values.z()[node])} *
           weight;
  }
  return sum;
}

}  // namespace

Vec3d compute_mean(const Grip& grip, const std::vector<Vec3d>& values) {
  Vec3d sum{0, 0, 0};
  for (const auto& [node, weight] : grip.weights) sum += values[node] * weight;
  return sum;
}

void set_strength(const Model& model, double strength, Grip& grip) {
  const Body& body = find_body(model, grip.vertex);
  const double mass = compute_mass(model, body);
  const material::Lame lame = small_strain_moduli(model.tissues[model.tissue[body.tets.begin]]);
  grip.stiffness = strength * (mass * kLiftRate * kLiftRate +
                               kShapePart * lame.mu * std::cbrt(body.rest_volume));
  grip.damping = 2 * kDampingPart * std::sqrt(grip.stiffness * mass);
}

Grip make_grip(const Model& model, const std::vector<Vec3d>& positions, std::uint32_t vertex,
               double strength) {
  Grip grip;
  grip.vertex = vertex;
  grip.weights = make_weights(model, find_body(model, vertex), vertex);
  grip.longest = kLongest * std::cbrt(find_body(model, vertex).rest_volume);
  for (const auto& [node, weight] : grip.weights) {
    grip.inverse_mass += weight * weight * model.inverse_masses[node];
  }
  const mesh::EmbeddedPoint& point = model.vertices[vertex];
  const Vec3d y = compute_mean(grip, positions);
  grip.offset = y - mesh::interpolate(point, model.tets[point.tet], positions);
  grip.target = y;
  set_strength(model, strength, grip);
  return grip;
}

void add_grip_impulses(const Model& model, double duration, const std::vector<Vec3d>& positions,
                       std::vector<Vec3d>& velocities) {
  for (const Grip& grip : model.grips) {
    const Vec3d away = compute_mean(grip, positions) - grip.target;
    const Vec3d force = away * (-grip.stiffness * compute_rest(grip, away)) -
                        compute_mean(grip, velocities) * grip.damping;
    for (const auto& [node, weight] : grip.weights) {
      velocities[node] += force * (weight * model.inverse_masses[node] * duration);
    }
  }
}

double compute_grip_step(const Model& model, double frequency_squared) {
  double rate = 0;
  for (const Grip& grip : model.grips) {
    // Added, as if all swung in one mode: never less than what is.
    frequency_squared += grip.stiffness * grip.inverse_mass;
    rate += grip.damping * grip.inverse_mass;
  }
  double step = std::numeric_limits<double>::infinity();
  if (frequency_squared > 0) step = 2 / std::sqrt(frequency_squared);
  return rate > 0 ? std::min(step, 1 / rate) : step;
}

double add_grip_gradient(const Model& model, const Field3d& positions,
                         const std::vector<Vec3d>& origin, double rate, Field3d& gradient) {
  double energy = 0;
  for (const Grip& grip : model.grips) {
    const Vec3d y = mean_of(grip, positions);
    const Vec3d away = y - grip.target;
    const Vec3d moved = y - compute_mean(grip, origin);
    const double drag = grip.damping * rate;
    const double rest = compute_rest(grip, away);
    // k/2 d^2, and k L (d - L/2) beyond L.
    energy +=
        grip.stiffness * (1 - 0.5 * rest) * rest * dot(away, away) + 0.5 * drag * dot(moved, moved);
    const Vec3d slope = away * (grip.stiffness * rest) + moved * drag;
    for (const auto& [node, weight] : grip.weights) {
      gradient.set(node, gradient[node] + slope * weight);
    }
  }
  return energy;
}

void add_grip_tangent(const Model& model, const Field3d& positions, const Field3f& direction,
                      double rate, Field3f& image) {
  for (const Grip& grip : model.grips) {
    const double rest = compute_rest(grip, mean_of(grip, positions) - grip.target);
    const Vec3d slope = mean_of(grip, direction) * (grip.stiffness * rest + grip.damping * rate);
    for (const auto& [node, weight] : grip.weights) {
      const Vec3d add = slope * weight;
      image.set(node, image[node] + Vec3f{static_cast<float>(add.x), static_cast<float>(add.y),
                                          static_cast<float>(add.z)});
    }
  }
}

}  // namespace sinew::tet
