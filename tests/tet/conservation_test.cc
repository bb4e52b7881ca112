// What must not drift: energy, momentum, bits.
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/hash.h"
#include "sinew/core/parallel.h"

#include "fixtures.h"

namespace sinew::tet {
namespace {

double total_energy(const engine::Certificate& c) {
  return measure(c, "kinetic_energy") + measure(c, "elastic_energy");
}

TEST(Conservation, EnergyOfAnUndampedTorusDriftsLessThanOnePercentASecond) {
  Settings settings = make_torus_settings(0.025);
  settings.step.safety = 0.5;
  settings.step.max_step = 1;
  settings.bodies[0].angular_velocity = {15, 3, 0};  // it turns and swings
  TetEngine engine(settings);
  const double before = total_energy(engine.observe().certificate);
  ASSERT_GT(before, 0.01);
  double largest = 0;
  for (int k = 1; k <= 10; ++k) {
    engine.advance(0.1 * k);
    const engine::Frame frame = engine.observe();
    largest = std::max(largest, std::abs(total_energy(frame.certificate) / before - 1));
    EXPECT_GT(measure(frame.certificate, "elastic_energy"), 1e-4 * before);
  }
  RecordProperty("largest_drift", std::to_string(largest));
  EXPECT_LT(largest, 0.01);
}

TEST(Conservation, MomentaAreKeptToRoundingInFreeFlightDampedOrNot) {
  for (const double damping : {0.0, 1e-3}) {
    Settings settings = make_torus_settings(0.03);
    settings.bodies[0].velocity = {0.3, -0.2, 0.5};
    settings.bodies[0].angular_velocity = {8, 2, -5};
    settings.bodies[0].material.damping.stiffness_time = damping;
    const Model model = make_model(settings);
    State state = make_state(model, settings);
    const Vec3d p = linear_momentum(model, state);
    const Vec3d L = angular_momentum(model, state);
    StepWorkspace ws;
    advance(model, 0.2, state, ws);
    EXPECT_GT(state.steps, 100U);
    EXPECT_LT(norm(linear_momentum(model, state) - p), 1e-12 * norm(p));
    EXPECT_LT(norm(angular_momentum(model, state) - L), 1e-11 * norm(L));
  }
}

TEST(Conservation, DampingTakesEnergyButNoRigidMotion) {
  Settings settings = make_torus_settings(0.03);
  settings.bodies[0].velocity = {1, 0, 0};
  settings.bodies[0].material.damping.stiffness_time = 1e-2;
  TetEngine engine(settings);
  const double before = total_energy(engine.observe().certificate);
  engine.advance(0.1);
  EXPECT_NEAR(total_energy(engine.observe().certificate) / before, 1, 1e-9);

  settings.bodies[0].angular_velocity = {30, 0, 0};  // now it deforms: energy must fall
  TetEngine turning(settings);
  const double start = total_energy(turning.observe().certificate);
  turning.advance(0.1);
  EXPECT_LT(total_energy(turning.observe().certificate), 0.999 * start);
}

std::uint64_t run_on(int threads) {
  const ThreadLimit limit(threads);
  Settings settings = make_torus_settings(0.012);
  settings.bodies[0].velocity = {0.1, -2, 0};
  settings.bodies[0].material.damping.stiffness_time = 1e-3;
  settings.world.gravity = {0, -9.8, 0};
  add_floor(0.3, -0.045, settings);
  TetEngine engine(settings);
  engine.advance(0.01);
  EXPECT_GT(engine.state().steps, 5U);
  return engine.observe().state_hash;
}

TEST(Conservation, OneThreadAndManyLeaveTheSameBits) {
  const std::uint64_t one = run_on(1);
  EXPECT_EQ(one, run_on(2));
  EXPECT_EQ(one, run_on(3));
}

TEST(Conservation, SavedAndLoadedRunEqualsTheStraightOneBitForBit) {
  Settings settings = make_torus_settings(0.03);
  settings.bodies[0].velocity = {0, -3, 0};
  settings.bodies[0].material.damping.stiffness_time = 1e-3;
  settings.bodies[0].stiffness = engine::KeyFrames{{0, 0.04}, {0.5, 1}};
  add_floor(0.3, -0.05, settings);
  settings.world.colliders[0].travel = {0, 0.01, 0};
  settings.world.colliders[0].motion = engine::KeyFrames{{0, 0.03}, {0, 1}};
  TetEngine straight(settings);
  straight.advance(0.02);  // inside the ramp
  const auto bytes = straight.save();
  straight.observe();
  straight.advance(0.05);

  TetEngine resumed(settings);
  resumed.load(bytes);
  resumed.advance(0.05);
  EXPECT_EQ(straight.observe().state_hash, resumed.observe().state_hash);
  EXPECT_EQ(straight.save(), resumed.save());
}

TEST(Conservation, DamagedStatesAreRefused) {
  TetEngine engine(make_torus_settings(0.04));
  const std::vector<std::byte> good = engine.save();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, good.size() / 2, good.size() - 1}) {
    EXPECT_THROW(engine.load(std::span(good).first(size)), std::invalid_argument);
  }
  std::vector<std::byte> longer = good;
  longer.push_back(std::byte{0});
  EXPECT_THROW(engine.load(longer), std::invalid_argument);
  std::vector<std::byte> poisoned = good;
  for (std::size_t i = 0; i < 8; ++i) poisoned[100 + i] = std::byte{0xff};  // a NaN
  EXPECT_THROW(engine.load(poisoned), std::invalid_argument);
  EXPECT_NO_THROW(engine.load(good));
}

}  // namespace
}  // namespace sinew::tet
