// Bodies that several tests of the tet engine use.
#pragma once

#include "sinew/tet/drive.h"
#include "sinew/tet/semi_explicit.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::tet {

inline Settings make_torus_settings(double resolution) {
  Settings settings;
  BodySettings body;
  body.name = "torus";
  body.shape.form = mesh::Torus{{0, 0, 0}, {0, 1, 0}, 0.1, 0.04};
  body.resolution = resolution;
  body.material.law = material::NeoHookean{material::compute_lame(5e4, 0.3)};
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

inline Settings make_box_settings(const Vec3d& size, double resolution, const material::Law& law) {
  Settings settings;
  BodySettings body;
  body.name = "box";
  body.shape.form = mesh::Box{{0, 0, 0}, size};
  body.resolution = resolution;
  body.material.law = law;
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

// No activation, full stiffness.
inline KernelInput input_at_rest(const Model& model) {
  return make_input(model, 0, std::vector<double>(model.regions.size(), 0.0),
                    Continuation::kStress);
}

inline void add_floor(double friction, double height, Settings& settings) {
  engine::Collider floor;
  floor.name = "floor";
  floor.friction = friction;
  floor.shape.form = mesh::HalfSpace{{0, height, 0}, {0, 1, 0}};
  settings.world.colliders.push_back(floor);
}

inline Vec3d linear_momentum(const Model& model, const State& state) {
  Vec3d sum{};
  for (std::size_t n = 0; n < model.masses.size(); ++n) {
    sum += model.masses[n] * state.velocities[n];
  }
  return sum;
}

inline Vec3d angular_momentum(const Model& model, const State& state) {
  Vec3d sum{};
  for (std::size_t n = 0; n < model.masses.size(); ++n) {
    sum += model.masses[n] * cross(state.positions[n], state.velocities[n]);
  }
  return sum;
}

inline double measure(const engine::Certificate& certificate, const std::string& name) {
  for (const engine::Measure& m : certificate) {
    if (m.name == name) return m.value;
  }
  throw std::out_of_range("no measure " + name);
}

}  // namespace sinew::tet
