#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/skeleton/multibody.h"

#include "skeleton/sample_skeletons.h"

namespace sinew::skeleton {
namespace {

double total(const Energy& energy) {
  return energy.kinetic + energy.potential;
}

TEST(MultibodyAdvance, DoublePendulumKeepsItsEnergy) {
  Multibody multibody(make_pendulum(2));
  MultibodyState state{0, {2.0, 1.0}, {0, 0}};
  const double before = total(multibody.energy(state.q, state.u));
  const double scale = 2 * 9.80665;  // weight times length
  double fastest = 0;
  for (int frame = 0; frame < 100; ++frame) {
    multibody.advance(state, 0.1);
    const Energy energy = multibody.energy(state.q, state.u);
    EXPECT_NEAR(total(energy), before, 1e-6 * scale) << "at " << state.time;
    fastest = std::max(fastest, energy.kinetic);
  }
  EXPECT_NEAR(state.time, 10, 1e-12);
  EXPECT_GT(fastest, scale);
}

TEST(MultibodyAdvance, SmallSwingsHaveTheRodsPeriod) {
  Multibody multibody(make_pendulum(1));
  const double amplitude = 1e-3;
  // Period of a rod: 2 pi sqrt(2 l / 3 g).
  const double period = 2 * std::numbers::pi * std::sqrt(2.0 / 3 / 9.80665);
  MultibodyState state{0, {amplitude}, {0}};
  multibody.advance(state, period);
  EXPECT_NEAR(state.q[0], amplitude, 1e-8);
  EXPECT_NEAR(state.u[0], 0, 1e-8);
}

TEST(MultibodyAdvance, FloatingChainKeepsItsMomentum) {
  Skeleton skeleton = make_pendulum(3);
  for (Body& body : skeleton.bodies) body.inertia = Mat3d::diagonal({0.1, 0.05, 0.12});
  let_float(skeleton);
  skeleton.gravity = {0, 0, 0};
  Multibody multibody(skeleton);
  Random random(5);
  const std::size_t count = skeleton.coordinates.size();
  MultibodyState state{0, random.numbers(count, 0.4), random.numbers(count, 1)};
  const Momentum before = multibody.momentum(state.q, state.u);
  const double energy = total(multibody.energy(state.q, state.u));
  EXPECT_GT(norm(before.linear), 0.1);
  EXPECT_GT(norm(before.angular), 0.1);
  multibody.advance(state, 1);
  const Momentum after = multibody.momentum(state.q, state.u);
  // The integrator's tolerance times its steps.
  EXPECT_LT(norm(after.linear - before.linear), 1e-7);
  EXPECT_LT(norm(after.angular - before.angular), 1e-7);
  EXPECT_NEAR(total(multibody.energy(state.q, state.u)), energy, 1e-7);
}

TEST(MultibodyAdvance, IsResumedBitForBit) {
  const Skeleton skeleton = make_pendulum(2);
  Multibody first(skeleton);
  MultibodyState straight{0, {2, 1}, {0, 0.3}};
  MultibodyState saved;
  for (int frame = 0; frame < 20; ++frame) {
    if (frame == 9) saved = straight;
    first.advance(straight, 0.05);
  }
  Multibody second(skeleton);
  for (int frame = 9; frame < 20; ++frame) second.advance(saved, 0.05);
  EXPECT_EQ(saved.time, straight.time);
  EXPECT_EQ(saved.q, straight.q);
  EXPECT_EQ(saved.u, straight.u);
}

TEST(MultibodyAdvance, ImpulseIsAShortForcesLimit) {
  Skeleton skeleton = make_pendulum(3);
  skeleton.coordinates[1].coupler = Coupler{0, make_line(0.5, 0.1)};
  Multibody multibody(skeleton);
  MultibodyState struck{0, {0.4, 0.3, -0.5}, {0.2, 0.1, 0.3}};
  const MultibodyState before = struck;
  const Load blow{3, {0.1, -0.7, 0}, {0.8, -0.4, 0}, {0, 0, 0.2}};
  multibody.apply_impulse(struck, blow);
  // Difference of accelerations by a load that is as large as the impulse: linear, no limit needed.
  const auto with = multibody.forward_dynamics(before.q, before.u, {{}, {blow}});
  const auto without = multibody.forward_dynamics(before.q, before.u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(struck.u[k] - before.u[k], with[k] - without[k], 1e-10);
    EXPECT_EQ(struck.q[k], before.q[k]);
  }
  EXPECT_GT(std::abs(struck.u[2] - before.u[2]), 0.1);
  // And a real force of short duration comes near it, to first order.
  MultibodyState pushed = before;
  const double dt = 1e-5;
  AdvanceSettings settings;
  settings.forces = [&](const MultibodyState&, AppliedForces& forces) {
    forces.loads = {{blow.body, blow.point, blow.force / dt, blow.torque / dt}};
  };
  multibody.advance(pushed, dt, settings);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(pushed.u[k], struck.u[k], 1e-3);
}

TEST(MultibodyAdvance, CouplersHoldLocksStayPrescribedFollow) {
  Skeleton skeleton = make_pendulum(4);
  const Function follow =
      make_spline({-3, -1, 0, 1, 3}, {0.5, 0.1, 0, 0.4, -0.3}, SplineEnds::kNatural);
  skeleton.coordinates[1].coupler = Coupler{0, follow};
  skeleton.coordinates[2].locked = true;
  Multibody multibody(skeleton);
  MultibodyState state{0, {1.2, evaluate(follow, 1.2).value, 0.4, 0}, {0, 0, 0, 0}};
  AdvanceSettings settings;
  settings.prescribed = {
      {3, [](double t) {
         return FunctionValue{std::sin(3 * t), 3 * std::cos(3 * t), -9 * std::sin(3 * t)};
       }}};
  double moved = 0;
  for (int frame = 0; frame < 20; ++frame) {
    multibody.advance(state, 0.05, settings);
    const FunctionValue f = evaluate(follow, state.q[0]);
    EXPECT_EQ(state.q[1], f.value);
    EXPECT_EQ(state.u[1], f.first * state.u[0]);
    EXPECT_EQ(state.q[2], 0.4);
    EXPECT_EQ(state.u[2], 0);
    EXPECT_EQ(state.q[3], std::sin(3 * state.time));
    moved = std::max(moved, std::abs(state.q[0] - 1.2));
  }
  EXPECT_GT(moved, 0.5);
}

TEST(MultibodyAdvance, PointConstraintsHoldAndKeepEnergy) {
  Skeleton skeleton = make_pendulum(3);
  skeleton.constraints.push_back({"pin", {3, kGround}, {{{0, -1, 0}, {1, -1, 0}}}});
  Multibody multibody(skeleton);
  MultibodyState state{0, {0.9, 0.6, 0.2}, {0.5, 0.2, -0.3}};
  multibody.project(state);
  const double before = total(multibody.energy(state.q, state.u));
  const MultibodyState start = state;
  for (int frame = 0; frame < 20; ++frame) {
    multibody.advance(state, 0.1);
    const auto frames = multibody.body_frames(state.q);
    EXPECT_LT(norm(apply(frames[3], {0, -1, 0}) - Vec3d{1, -1, 0}), 1e-12);
    EXPECT_NEAR(total(multibody.energy(state.q, state.u)), before, 1e-6);
  }
  EXPECT_GT(std::abs(state.q[0] - start.q[0]), 1e-3);
}

TEST(MultibodyAdvance, StopsHoldWithoutGainOfEnergy) {
  Skeleton skeleton = make_pendulum(2);
  skeleton.coordinates[1].range = {-0.3, 0.5};
  skeleton.coordinates[1].clamped = true;
  Multibody multibody(skeleton);
  MultibodyState state{0, {1.8, 0.2}, {0, 0}};
  double last = total(multibody.energy(state.q, state.u));
  const double first = last;
  std::size_t impacts = 0;
  for (int frame = 0; frame < 60; ++frame) {
    impacts += multibody.advance(state, 0.05).num_impacts;
    EXPECT_GE(state.q[1], -0.3);
    EXPECT_LE(state.q[1], 0.5);
    const double energy = total(multibody.energy(state.q, state.u));
    // Landing is exact to 1e-9 rad, the integrator to 1e-9 a step.
    EXPECT_LE(energy, last + 1e-6) << "at " << state.time;
    last = energy;
  }
  EXPECT_GE(impacts, 2U);
  EXPECT_LT(last, first - 0.01);
}

TEST(MultibodyAdvance, RestsOnAStopUnderItsWeightAndLeavesItWhenPulled) {
  Skeleton skeleton = make_pendulum(1);
  skeleton.coordinates[0].range = {0.5, 2};
  skeleton.coordinates[0].clamped = true;
  Multibody multibody(skeleton);
  MultibodyState state{0, {1.0}, {0}};
  multibody.advance(state, 2);
  EXPECT_EQ(state.q[0], 0.5);
  EXPECT_EQ(state.u[0], 0);
  multibody.apply_impulse(state, {1, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0}});
  EXPECT_NEAR(state.u[0], 0, 1e-15);  // against the stop
  AdvanceSettings settings;
  settings.forces = [](const MultibodyState&, AppliedForces& forces) {
    forces.generalized = {4};  // more than the weight's 2.35 N m
  };
  multibody.advance(state, 0.2, settings);
  EXPECT_GT(state.q[0], 0.51);
}

TEST(MultibodyAdvance, OneThatStartsOutsideDoesNotJump) {
  Skeleton skeleton = make_pendulum(1);
  skeleton.coordinates[0].range = {0.5, 2};
  skeleton.coordinates[0].clamped = true;
  Multibody multibody(skeleton);
  MultibodyState state{0, {0.4}, {0}};
  multibody.advance(state, 0.1);
  EXPECT_EQ(state.q[0], 0.4);
}

TEST(MultibodyAdvance, SaysWhenStepsRunOut) {
  Multibody multibody(make_pendulum(2));
  MultibodyState state{0, {2, 1}, {0, 0}};
  AdvanceSettings settings;
  settings.max_steps = 3;
  const AdvanceReport report = multibody.advance(state, 5, settings);
  EXPECT_FALSE(report.finished);
  EXPECT_LT(state.time, 5);
}

}  // namespace
}  // namespace sinew::skeleton
