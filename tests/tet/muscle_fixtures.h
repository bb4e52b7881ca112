// Muscles that several tests of the implicit steps use.
#pragma once

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/material/force_velocity.h"
#include "sinew/material/presets.h"
#include "sinew/tet/implicit.h"
#include "sinew/tet/observe.h"

#include "fixtures.h"

namespace sinew::tet {

// Nodes of the last body whose x is in a range are held, moved as told.
inline void hold(const std::string& name, double low, double high,
                 const engine::RigidMotion& motion, Settings& settings) {
  AttachmentSettings attachment;
  attachment.name = name;
  attachment.where.form = mesh::Box{{0.5 * (low + high), 0, 0}, {high - low, 10, 10}};
  attachment.motion = motion;
  settings.bodies.back().attachments.push_back(attachment);
}

// A bar along x, its left end held and turned by 90 degrees about z within 0.3 s.
inline Settings make_swing_settings(double resolution) {
  Settings settings = make_box_settings({0.2, 0.05, 0.05}, resolution,
                                        material::NeoHookean{material::compute_lame(60e3, 0.3)});
  engine::RigidMotion turn;
  turn.center = {-0.1, 0, 0};
  turn.axis = {0, 0, 1};
  turn.angle =
      engine::KeyFrames{{0, 0.3}, {0, std::numbers::pi / 2}, engine::Interpolation::kSmooth};
  hold("hand", -1, -0.099, turn, settings);
  settings.step.integrator = Integrator::kTrBdf2;
  settings.step.accuracy = Accuracy::kEngineering;
  return settings;
}

// A block of muscle along x, both ends held, activated over `seconds`.
inline Settings make_isometric_settings(const std::string& preset, double resolution,
                                        double seconds) {
  Settings settings = make_box_settings({0.08, 0.03, 0.03}, resolution, {});
  BodySettings& body = settings.bodies[0];
  body.material = material::make_preset(preset);
  body.fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  body.regions.push_back({"all", {}, engine::KeyFrames{{0, seconds}, {0, 1}}, {}});
  hold("origin", -1, -0.0399, {}, settings);
  hold("insertion", 0.0399, 1, {}, settings);
  settings.step.integrator = Integrator::kQuasiStatic;
  settings.step.step = seconds;
  return settings;
}

// A model moved to `time` by an implicit integrator, all of its steps converged.
struct Solved {
  Model model;
  Observation observation;
};
inline Solved solve(const Settings& settings, double time) {
  Solved solved{make_model(settings), {}};
  State state = make_state(solved.model, settings);
  StageSolver solver(solved.model);
  StepWorkspace workspace;
  advance_implicit(solved.model, time, state, solver, workspace.statistics);
  EXPECT_EQ(workspace.statistics.unconverged, 0u);
  refresh_forces(solved.model, state, workspace);
  solved.observation = make_observation(solved.model, state, workspace);
  return solved;
}

inline Vec3d center_of_mass(const Model& model, const State& state) {
  Vec3d sum{};
  double mass = 0;
  for (std::size_t n = 0; n < model.masses.size(); ++n) {
    sum += model.masses[n] * state.positions[n];
    mass += model.masses[n];
  }
  return sum / mass;
}

}  // namespace sinew::tet
