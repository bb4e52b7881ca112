#include "sinew/coupling/coupled_engine.h"

#include <cmath>

#include <gtest/gtest.h>

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

using skeleton::FunctionValue;

TEST(CoupledEngine, PrescribedBonesCarryTheirEnds) {
  const skeleton::Skeleton skeleton = make_forearm(1, 0.2, {0.06, 0.01, 0});
  SkeletonSettings settings;
  settings.prescribed = {{0, [](double t) { return FunctionValue{-2 * t, -2, 0}; }}};
  const auto engine = make_coupled(skeleton, {0, 1}, {}, settings);
  engine->advance(0.25);
  const engine::Frame frame = engine->observe();
  EXPECT_DOUBLE_EQ(measure(frame, "coordinate.elbow"), -0.5);
  EXPECT_LT(measure(frame, "attachment_error"), 1e-15);
  EXPECT_EQ(measure(frame, "inverted"), 0);
  // The muscle's right end is turned with the bone.
  const auto& state = tetrahedra_of(*engine).state();
  const tet::Attachment& insertion = tetrahedra_of(*engine).model().attachments[1];
  const Vec3d rest = tetrahedra_of(*engine).model().rest_positions[insertion.nodes[0]];
  const Vec3d elbow{0.06, 0.01, 0};
  const Vec3d turned = engine::make_rotation({0, 0, 1}, -0.5) * (rest - elbow) + elbow;
  EXPECT_LT(norm(state.positions[insertion.nodes[0]] - turned), 1e-15);
}

// Two bones that slide apart along x with a contracting muscle between them, nothing else.
skeleton::Skeleton make_sliders(double left, double right) {
  skeleton::Skeleton skeleton = make_ground();
  for (const auto& [name, mass] : {std::pair{"left", left}, std::pair{"right", right}}) {
    skeleton::Body body = make_body(name, mass, 1e-3);
    add_axis(3, {1, 0, 0}, std::string(name) + "_x", body, skeleton);
    add_axis(4, {0, 1, 0}, std::string(name) + "_y", body, skeleton);
    add_axis(5, {0, 0, 1}, std::string(name) + "_z", body, skeleton);
    skeleton.bodies.push_back(body);
  }
  return skeleton;
}

Vec3d tissue_momentum(const tet::TetEngine& tissue) {
  Vec3d sum{};
  for (std::size_t n = 0; n < tissue.model().masses.size(); ++n)
    sum += tissue.model().masses[n] * tissue.state().velocities[n];
  return sum;
}

TEST(CoupledEngine, MuscleAndBonesKeepTheirMomentum) {
  MuscleBlock block;
  block.excitation = {{0, 0.05}, {0, 1}};
  SkeletonSettings settings;
  settings.two_way = true;
  const auto engine = make_coupled(make_sliders(0.5, 2), {1, 2}, block, settings);
  double largest = 0;
  for (int k = 1; k <= 6; ++k) {
    engine->advance(k / 48.0);
    const auto& u = engine->bones().u;
    const Vec3d left{0.5 * u[0], 0.5 * u[1], 0.5 * u[2]}, right{2 * u[3], 2 * u[4], 2 * u[5]};
    largest = std::max(largest, norm(left));
    // Held nodes move with their bones and are part of the tissue's momentum. What is left is what
    // the solves (1e-6 of a step's residual) and the agreement leave.
    EXPECT_LT(norm(left + right + tissue_momentum(tetrahedra_of(*engine))), 5e-5 * largest);
  }
  EXPECT_GT(largest, 0.1);  // N s: it did contract
}

// Two bones free in space; the muscle pulls beside their mass centres and turns them.
skeleton::Skeleton make_free_bones() {
  skeleton::Skeleton skeleton = make_ground();
  for (const auto& [name, mass, x, y] :
       {std::tuple{"left", 0.5, -0.06, -0.02}, std::tuple{"right", 2.0, 0.07, 0.03}}) {
    skeleton::Body body = make_body(name, mass, 1e-3 * mass);
    body.mass_center = {x, y, 0.01};
    for (std::size_t axis = 0; axis < 6; ++axis) {
      Vec3d direction{0, 0, 0};
      direction[axis % 3] = 1;
      add_axis(axis, direction, std::string(name) + std::to_string(axis), body, skeleton);
    }
    skeleton.bodies.push_back(body);
  }
  return skeleton;
}

struct AngularMomentum {
  double total, of_bone;  // N m s: of all, and of one bone alone
};
AngularMomentum contract_freely(double step) {
  MuscleBlock block;
  block.resolution = 0.02;
  block.step = step;
  block.excitation = {{0, 0.05}, {0, 1}};
  SkeletonSettings settings;
  settings.two_way = true;
  const skeleton::Skeleton skeleton = make_free_bones();
  const auto engine = make_coupled(skeleton, {1, 2}, block, settings);
  engine->advance(1 / 32.0);
  const tet::TetEngine& tissue = tetrahedra_of(*engine);
  skeleton::Multibody multibody(skeleton);
  Vec3d total = multibody.momentum(engine->bones().q, engine->bones().u).angular;
  for (std::size_t n = 0; n < tissue.model().masses.size(); ++n)
    total +=
        tissue.model().masses[n] * cross(tissue.state().positions[n], tissue.state().velocities[n]);
  std::vector<double> of_left = engine->bones().u;
  std::fill(of_left.begin() + 6, of_left.end(), 0.0);
  return {norm(total), norm(multibody.momentum(engine->bones().q, of_left).angular)};
}

TEST(CoupledEngine, MuscleAndBonesKeepTheirAngularMomentumAsStepsShrink) {
  // Backward Euler's forces turn about where the step ends, not about where it goes through: what
  // they lose is of first order in the step.
  const AngularMomentum coarse = contract_freely(1 / 384.0), fine = contract_freely(1 / 1536.0);
  EXPECT_GT(coarse.total / fine.total, 2.5);  // 4 in the limit
  EXPECT_LT(coarse.total / fine.total, 5);
  EXPECT_LT(fine.total, 0.2 * fine.of_bone);
  EXPECT_GT(fine.of_bone, 5e-4);  // it did turn them
}

TEST(CoupledEngine, ALightForearmUnderFullActivationStaysCalm) {
  // 0.1 kg at a full activation of 120 N: far beyond what plain staggering stands.
  MuscleBlock block;
  block.excitation = {{0, 0.1}, {0, 1}};
  block.accuracy = tet::Accuracy::kAnimation;
  SkeletonSettings settings;
  settings.two_way = true;
  const auto engine =
      make_coupled(make_forearm(0.1, 0.1, {0.04, -0.03, 0}), {0, 1}, block, settings);
  double previous = 0, last_change = 0;
  for (int k = 1; k <= 30; ++k) {
    engine->advance(k / 48.0);
    const double angle = engine->bones().q[0];
    last_change = std::abs(angle - previous);
    previous = angle;
    ASSERT_LT(std::abs(angle), 1.5);
    const engine::Frame frame = engine->observe();
    ASSERT_EQ(measure(frame, "inverted"), 0);
    ASSERT_EQ(measure(frame, "coupling_disagreements"), 0) << k;
  }
  EXPECT_GT(std::abs(previous), 0.2);  // it was pulled
  EXPECT_LT(last_change, 0.01);        // and has come to rest
}

// A horizontal forearm held up by the muscle at rest: the moment it makes is what inverse dynamics
// asks for.
TEST(CoupledEngine, AMuscleThatHoldsAWeightMakesTheMomentOfInverseDynamics) {
  skeleton::Skeleton skeleton = make_forearm(1.5, 0.1, {0.04, -0.03, 0});
  skeleton.bodies[1].mass_center = {0.1, 0, 0};  // to the right: the muscle above holds it
  MuscleBlock block;
  block.excitation = {{0, 0.2}, {0, 0.6}};
  block.max_fiber_rate = 10;  // force falls with velocity: what brings the arm to rest
  SkeletonSettings settings;
  settings.two_way = true;
  const auto engine = make_coupled(skeleton, {0, 1}, block, settings);
  for (int k = 1; k <= 60; ++k) engine->advance(k / 48.0);
  const engine::Frame frame = engine->observe();
  skeleton::Multibody multibody(skeleton);
  const auto needed = multibody.inverse_dynamics(engine->bones().q, {0}, {0});
  const double made = measure(frame, "muscle_moment.elbow");
  EXPECT_LT(std::abs(engine->bones().u[0]), 0.05);
  EXPECT_NEAR(made, needed[0], 0.02 * std::abs(needed[0]));
}

TEST(CoupledEngine, ARunThatGoesOnFromItsBytesIsTheSame) {
  MuscleBlock block;
  block.excitation = {{0, 0.1}, {0, 1}};
  block.accuracy = tet::Accuracy::kAnimation;
  SkeletonSettings settings;
  settings.two_way = true;
  const skeleton::Skeleton skeleton = make_forearm(0.5, 0.1, {0.04, -0.03, 0});
  const auto straight = make_coupled(skeleton, {0, 1}, block, settings);
  const auto resumed = make_coupled(skeleton, {0, 1}, block, settings);
  straight->advance(3 / 48.0);
  resumed->load(straight->save());
  straight->advance(6 / 48.0);
  resumed->advance(6 / 48.0);
  EXPECT_EQ(straight->save(), resumed->save());
}

TEST(CoupledEngine, BytesOfAnotherSkeletonAreRefused) {
  const auto engine = make_coupled(make_forearm(0.5, 0.1, {}), {0, 1}, {});
  const auto other = make_coupled(make_sliders(1, 1), {1, 2}, {});
  EXPECT_THROW(engine->load(other->save()), std::invalid_argument);
  std::vector<std::byte> bytes = engine->save();
  bytes.resize(10);
  EXPECT_THROW(engine->load(bytes), std::invalid_argument);
}

TEST(CoupledEngine, BonesThatCannotBeFollowedEndTheRunWithTheirState) {
  // A damping that turns a forearm of 0.01 kg to and fro 1e9 times a second.
  SkeletonSettings settings;
  settings.two_way = true;
  settings.damping = {1e5};
  const auto engine = make_coupled(make_forearm(0.01, 0.1, {}), {0, 1}, {}, settings);
  const tet::State before = tetrahedra_of(*engine).state();
  try {
    engine->advance(1 / 48.0);
    FAIL() << "went on";
  } catch (const engine::StepFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("cannot be followed"), std::string::npos);
  }
  EXPECT_EQ(engine->bones().time, 0);
  EXPECT_EQ(engine->bones().q[0], 0);
  const tet::State& after = tetrahedra_of(*engine).state();
  EXPECT_EQ(after.time, 0);
  for (std::size_t n = 0; n < before.positions.size(); ++n)
    EXPECT_EQ(norm(after.positions[n] - before.positions[n]), 0);
}

TEST(CoupledEngine, ACoordinateThatMovesNoMassIsNamedAtOnce) {
  SkeletonSettings settings;
  settings.two_way = true;
  try {
    make_coupled(make_forearm(0, 0.1, {}), {0, 1}, {}, settings);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("elbow"), std::string::npos);
  }
  settings.two_way = false;  // nothing moves it then
  EXPECT_NO_THROW(make_coupled(make_forearm(0, 0.1, {}), {0, 1}, {}, settings));
}

TEST(CoupledEngine, TwoWayWantsAnIntegratorThatKnowsItsForces) {
  MuscleBlock block;
  block.integrator = tet::Integrator::kTrBdf2;
  SkeletonSettings settings;
  settings.two_way = true;
  EXPECT_THROW(make_coupled(make_forearm(0.5, 0.1, {}), {0, 1}, block, settings),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::coupling
