#include "sinew/brick/steering.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "sinew/brick/brick_engine.h"
#include "sinew/brick/grip.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

// A block of 2 x 0.6 x 0.6 m of soft stuff with fibres along x.
Settings make_block(bool muscle) {
  BodySettings body;
  body.name = "block";
  body.mesh = make_box_mesh({-1, -0.3, -0.3}, {1, 0.3, 0.3}, {2, 1, 1});
  material::Material m;
  m.law = material::NeoHookean{material::compute_lame(4e4, 0.3)};
  m.density = 1000;
  m.damping = {0, 2e-3};
  body.materials = {m};
  body.fiber_axis = 0;
  for (const double x : {-1.0, 0.0, 1.0}) {
    for (const double y : {-0.3, 0.3}) {
      for (const double z : {-0.3, 0.3}) body.surface.positions.push_back({x, y, z});
    }
  }
  body.surface.triangles = {{0, 1, 2}, {9, 10, 11}};
  if (muscle) body.muscle = MuscleSettings{};
  if (muscle) body.muscle->max_force = 2000;
  Settings settings;
  settings.bodies = {body};
  settings.world.gravity = {0, 0, 0};
  return settings;
}

std::size_t find(const BrickEngine& engine, const std::string& name) {
  const auto controls = engine.controls();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (controls[i].name == name) return i;
  }
  ADD_FAILURE() << "no control " << name;
  return 0;
}

Vec3d vertex_of(BrickEngine& engine, std::size_t vertex) {
  const Vec3f x = engine.observe().bodies[0].surface[vertex];
  return {x.x, x.y, x.z};
}

double length_of(BrickEngine& engine) {
  return vertex_of(engine, 8).x - vertex_of(engine, 0).x;
}

TEST(BrickSteering, AnActivatedMuscleShortensAndALetGoOneComesBack) {
  BrickEngine engine(make_block(true));
  engine.set_control(find(engine, "activation.block"), 1);
  EXPECT_EQ(engine.controls()[0].value, 1);
  engine.advance(2);
  const double contracted = length_of(engine);
  EXPECT_LT(contracted, 1.97);
  EXPECT_GT(contracted, 1);
  engine.release_controls();
  engine.set_control(find(engine, "activation.block"), 0);
  engine.advance(5);
  EXPECT_NEAR(length_of(engine), 2, 0.2 * (2 - contracted));
}

TEST(BrickSteering, GravityActsAtOnce) {
  BrickEngine engine(make_block(false));
  engine.set_control(find(engine, "gravity"), 4);
  engine.advance(0.5);
  EXPECT_NEAR(engine.state().bodies[0].velocity.y, -2, 1e-9);
}

TEST(BrickSteering, FewerModesAreAStifferBodyAndAllOfThemTheSceneAgain) {
  const Settings settings = make_block(true);
  BrickEngine all(settings), few(settings), back(settings);
  const std::size_t modes = find(all, "modes.block");
  const double most = all.controls()[modes].high;
  ASSERT_GT(most, 10);
  few.set_control(modes, 1);
  back.set_control(modes, 3);
  back.set_control(modes, most);
  for (BrickEngine* engine : {&all, &few, &back}) {
    engine->set_control(find(*engine, "activation.block"), 1);
    engine->advance(0.2);
  }
  EXPECT_EQ(few.state().bodies[0].modes.size(), 1u);
  EXPECT_GT(length_of(few), length_of(all) + 0.001);
  EXPECT_EQ(all.observe().state_hash, back.observe().state_hash);
}

TEST(BrickSteering, StiffnessScalesFrequenciesByItsRoot) {
  const Model model = make_model(make_block(false));
  const ModalModel& modal = *model.bodies[0].modal;
  const ModalModel changed = change_modes(modal, 4, 9);
  ASSERT_EQ(changed.num_modes(), 4u);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(changed.frequencies[j], 3 * modal.frequencies[j], 1e-9 * modal.frequencies[j]);
    EXPECT_NEAR(changed.dampings[j], 9 * modal.dampings[j], 1e-9 * modal.dampings[j]);
    // The shapes are the same columns.
    const std::size_t n = modal.num_modes();
    EXPECT_EQ(changed.shapes[5 * 4 + j], modal.shapes[5 * n + j]);
  }
}

TEST(BrickSteering, AHandDrawsAFreeBodyToIt) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    Settings settings = make_block(false);
    settings.strain = strain;
    settings.step = 0.01;
    BrickEngine engine(settings);
    const Vec3d target = vertex_of(engine, 4) + Vec3d{0, 0.5, 0};
    engine.set_pulls(std::vector<engine::Pull>{{0, 4, target}});
    engine.advance(2);
    // Undamped turning about the patch stays; its vertex is as far off as the patch is wide.
    EXPECT_LT(norm(vertex_of(engine, 4) - target), 0.3);
    EXPECT_GT(vertex_of(engine, 4).y, -0.3 + 0.2);
    engine.set_pulls({});
    EXPECT_TRUE(engine.model().grips.empty());
  }
}

// At a steady speed v a damper pulls with -D v, whatever the step is.
TEST(BrickSteering, AHandDampsASteadySpeedAlikeInAllSteps) {
  Model model = make_model(make_block(false));
  State state = make_state(model);
  BodyState& body = state.bodies[0];
  const Grip grip = make_grip(model.bodies[0], body, 0, 4);
  const Vec3d v{0.3, -0.2, 0.5};
  for (Vec3d& velocity : body.velocities) velocity = v;
  for (const double horizon : {1e-4, 1e-2}) {
    std::vector<Row> rows;
    add_grip_rows(grip, body, horizon, rows);
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const double way = v[i] * horizon;
      const double force = (rows[i].target - way) / rows[i].compliance;
      EXPECT_NEAR(force, -grip.damping * v[i] - grip.stiffness * way, 1e-9 * grip.stiffness);
      EXPECT_GT(std::abs(grip.damping * v[i]), 1);
    }
  }
}

TEST(BrickSteering, WhatIsNotAllowedIsRefused) {
  BrickEngine engine(make_block(true));
  EXPECT_THROW(engine.set_control(0, 2), std::invalid_argument);
  EXPECT_THROW(engine.set_control(99, 0), std::invalid_argument);
  EXPECT_THROW(engine.set_control(find(engine, "modes.block"), 2.5), std::invalid_argument);
  EXPECT_THROW(engine.set_pulls(std::vector<engine::Pull>{{1, 0, {}}}), std::invalid_argument);
  EXPECT_THROW(engine.set_pulls(std::vector<engine::Pull>{{0, 99, {}}}), std::invalid_argument);
  EXPECT_THROW(engine.set_pulls(std::vector<engine::Pull>{{0, 0, {NAN, 0, 0}}}),
               std::invalid_argument);
  EXPECT_TRUE(engine.model().grips.empty());
}

}  // namespace
}  // namespace sinew::brick
