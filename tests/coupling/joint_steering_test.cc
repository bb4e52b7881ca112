#include "sinew/coupling/joint_steering.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

using skeleton::FunctionValue;

TEST(JointSteering, AnApproachBeginsWhereTheJointIsAndEndsAtItsTarget) {
  const FunctionValue now{0.3, -1.5, 0};
  const FunctionValue begin = approach(now, 2, 1, 2);
  EXPECT_DOUBLE_EQ(begin.value, 0.3);
  EXPECT_DOUBLE_EQ(begin.first, -1.5);
  const FunctionValue end = approach(now, 2, 1, 4);
  EXPECT_NEAR(end.value, 1, 1e-8);
  EXPECT_NEAR(end.first, 0, 1e-7);
  // Rate and acceleration are the derivatives; central differences err by h^2.
  const double h = 1e-4;
  for (const double t : {2.05, 2.2, 2.6}) {
    const auto before = approach(now, 2, 1, t - h), here = approach(now, 2, 1, t),
               after = approach(now, 2, 1, t + h);
    EXPECT_NEAR((after.value - before.value) / (2 * h), here.first, 1e-5);
    EXPECT_NEAR((after.first - before.first) / (2 * h), here.second, 1e-4);
  }
}

std::size_t find(const CoupledEngine& engine, const std::string& name) {
  const auto controls = engine.controls();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (controls[i].name == name) return i;
  }
  return controls.size();
}

TEST(JointSteering, AJointGoesWhereItIsToldAndCarriesTheTissue) {
  const auto engine = make_coupled(make_forearm(1, 0.2, {0.06, 0.01, 0}), {0, 1}, {0.02});
  const std::size_t elbow = find(*engine, "joint.elbow");
  ASSERT_EQ(elbow + 1, engine->controls().size());
  EXPECT_EQ(engine->controls()[elbow].unit, "rad");
  engine->set_control(elbow, -0.5);
  EXPECT_EQ(engine->controls()[elbow].value, -0.5);
  engine->advance(0.05);
  const double soon = measure(engine->observe(), "coordinate.elbow");
  EXPECT_LT(soon, -0.01);
  EXPECT_GT(soon, -0.3);  // no jump
  engine->advance(1.5);
  const engine::Frame frame = engine->observe();
  EXPECT_NEAR(measure(frame, "coordinate.elbow"), -0.5, 1e-6);
  EXPECT_LT(measure(frame, "attachment_error"), 1e-12);
  EXPECT_EQ(measure(frame, "inverted"), 0);
}

TEST(JointSteering, AHandTakesOverFromTheScenesMotionAndGivesItBack) {
  SkeletonSettings settings;
  settings.prescribed = {{0, [](double t) { return FunctionValue{-t, -1, 0}; }}};
  const auto engine = make_coupled(make_forearm(1, 0.2, {0.06, 0.01, 0}), {0, 1}, {0.02}, settings);
  const std::vector<std::byte> start = engine->save();
  engine->advance(0.2);
  const std::size_t elbow = find(*engine, "joint.elbow");
  EXPECT_NEAR(engine->controls()[elbow].value, -0.2, 1e-12);
  engine->set_control(elbow, 0);
  engine->advance(0.21);
  EXPECT_LT(engine->bones().q[0], -0.2);  // it had a speed, which does not jump
  engine->advance(1.7);
  EXPECT_NEAR(engine->bones().q[0], 0, 1e-5);
  engine->release_controls();
  engine->load(start);
  engine->advance(0.1);
  EXPECT_NEAR(engine->bones().q[0], -0.1, 1e-12);
}

TEST(JointSteering, JointsThatForcesMoveHaveNoControlAndBadValuesAreRefused) {
  SkeletonSettings two_way;
  two_way.two_way = true;
  MuscleBlock block{0.02};
  block.integrator = tet::Integrator::kBackwardEuler;
  const auto moved = make_coupled(make_forearm(1, 0.2, {0.06, 0.01, 0}), {0, 1}, block, two_way);
  EXPECT_EQ(find(*moved, "joint.elbow"), moved->controls().size());
  const auto held = make_coupled(make_forearm(1, 0.2, {0.06, 0.01, 0}), {0, 1}, {0.02});
  const std::size_t elbow = find(*held, "joint.elbow");
  EXPECT_THROW(held->set_control(elbow, 4), std::invalid_argument);
  EXPECT_THROW(held->set_control(elbow, NAN), std::invalid_argument);
  EXPECT_THROW(held->set_control(elbow + 1, 0), std::invalid_argument);
  EXPECT_NO_THROW(held->set_control(0, 0.5));
  EXPECT_EQ(held->controls()[0].value, 0.5);
}

}  // namespace
}  // namespace sinew::coupling
