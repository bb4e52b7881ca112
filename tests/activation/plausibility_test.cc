#include "sinew/activation/plausibility.h"

#include <gtest/gtest.h>

namespace sinew::activation {
namespace {

// A bar on a root that shifts upwards and a hinge that a muscle crosses.
skeleton::Skeleton make_model() {
  skeleton::Skeleton s;
  s.bodies.resize(2);
  s.bodies[1].name = "bar";
  s.bodies[1].parent = 0;
  s.bodies[1].mass = 10;
  s.coordinates.resize(2);
  s.coordinates[0].name = "root_y";
  s.coordinates[0].rotational = false;
  s.coordinates[1].name = "hinge";
  s.muscles.resize(2);
  s.muscles[0].name = "flexor";
  s.muscles[1].name = "idle";
  return s;
}

ActivationResult make_result(double root, double moment, double reserve, double strength) {
  ActivationResult out;
  out.times = {0, 1};
  out.activations = {{0.1, 0}, {1, 0.2}};
  out.forces = out.activations;
  out.moments = {{0, 1}, {root, moment}};
  out.reserves = {{0, 0}, {root, reserve}};
  out.strengths = {{0, strength}, {0, 0.5 * strength}};
  return out;
}

TEST(Plausibility, TrustsWhatMusclesAndTheGroundCanGive) {
  const Plausibility found = check_plausibility(make_model(), make_result(20, 40, 1.9, 50));
  EXPECT_TRUE(found.doubts.empty());
  EXPECT_DOUBLE_EQ(found.moment_over_strength, 0.8);
  EXPECT_NEAR(found.root_force_over_weight, 20 / 98.0665, 1e-12);
}

TEST(Plausibility, SaysWhichMusclesAreAtTheirEnd) {
  const Plausibility found = check_plausibility(make_model(), make_result(20, -40, -12, 50));
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_EQ(found.doubts[0],
            "muscles leave 12 N m of the moments about hinge, whose largest is 40 N m (30 %), at 1 "
            "s; at full activation then: flexor");
}

TEST(Plausibility, MissesForcesUnderTheFeet) {
  const Plausibility found = check_plausibility(make_model(), make_result(-110, 40, 0, 50));
  ASSERT_EQ(found.doubts.size(), 1U);
  EXPECT_NE(found.doubts[0].find("root_y needs 110 N"), std::string::npos);
  EXPECT_NE(found.doubts[0].find("loads missing"), std::string::npos);
}

TEST(Plausibility, MeasuresWhatNoBodyDoes) {
  const Plausibility found = check_plausibility(make_model(), make_result(750476, 4e4, 3.9e4, 50));
  EXPECT_GT(found.root_force_over_weight, kBeyondBelief);
  EXPECT_GT(found.moment_over_strength, kBeyondBelief);
  EXPECT_EQ(found.doubts.size(), 2U);
}

}  // namespace
}  // namespace sinew::activation
