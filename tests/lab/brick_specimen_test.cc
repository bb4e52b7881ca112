#include "sinew/lab/brick_specimen.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/lab/frog.h"
#include "sinew/lab/specimens.h"

namespace sinew::lab {
namespace {

// The tendons give 1.1 % of the rest length, where the active curve is 0.999.
TEST(BrickSpecimen, PullsAsTheLineMuscleAndKeepsItsVolume) {
  const material::MusculotendonParameters muscle = make_frog_line();
  BrickSpecimen bricks(muscle, BrickSettings{});
  const auto line = make_line_specimen(muscle);
  const double length = kFrogLength + kFrogTendon;
  EXPECT_NEAR(bricks.volume_ratio(), 1, 1e-12);
  EXPECT_NEAR(bricks.fiber_length(), kFrogLength, 1e-12);
  const double force = bricks.hold(length, 1);
  EXPECT_NEAR(force, line->hold(length, 1), 0.01 * kFrogForce);
  EXPECT_EQ(bricks.num_unsettled(), 0);
  EXPECT_NEAR(bricks.fiber_length(), line->fiber_length(), 0.001 * kFrogLength);
  EXPECT_NEAR(bricks.volume_ratio(), 1, 0.005);
}

class Restless : public Specimen {
 public:
  double hold(double, double) override {
    ++num_unsettled_;
    return 1;
  }
  double advance(double, double, double) override { return 1; }
  double load(double, double, double) override { return 1; }
  double fiber_length() const override { return 1; }
};

TEST(Specimen, WhatDoesNotComeToRestFailsItsExperiment) {
  Restless specimen;
  Result result;
  check_settled("restless", specimen, result);
  EXPECT_TRUE(result.rows.empty());
  specimen.hold(1, 1);
  check_settled("restless", specimen, result);
  EXPECT_EQ(result.rows.size(), 1U);
  EXPECT_FALSE(passes(result));
}

TEST(BrickSpecimen, SmallStrainsLoseVolumeWhenStretched) {
  const BrickSettings small{.strain = brick::Strain::kSmall, .poisson_ratio = 0.49};
  BrickSpecimen bricks(make_frog_line(), small);
  bricks.hold(1.2 * kFrogLength + kFrogTendon, 0);
  // 1.2 (1 - 0.49 * 0.2)^2 = 0.976.
  EXPECT_NEAR(bricks.volume_ratio(), 0.976, 0.005);
}

// Ends of 0.73 and a middle of 1.27 of the mean volume: within 20 ms force-velocity has let the
// middle shorten by several hundredths at the ends' cost.
TEST(BrickSpecimen, AStrongMiddleStretchesWeakEnds) {
  const BrickSettings uneven{.bulge = 0.4, .strength_by_volume = true};
  BrickSpecimen bricks(make_frog_line(), uneven);
  EXPECT_NEAR(bricks.middle_area_ratio(), 1, 1e-12);
  for (const double stretch : bricks.brick_stretches()) EXPECT_NEAR(stretch, 1, 1e-12);
  bricks.advance(kFrogLength + kFrogTendon, 1, 0.02);
  const std::vector<double> stretches = bricks.brick_stretches();
  ASSERT_EQ(stretches.size(), 4U);
  EXPECT_GT(stretches[0], 1.02);
  EXPECT_NEAR(stretches[3], stretches[0], 0.01);
  EXPECT_LT(stretches[1], 0.98);
  EXPECT_GT(bricks.middle_area_ratio(), 1.01);
  EXPECT_NEAR(bricks.volume_ratio(), 1, 0.01);
}

TEST(BrickSpecimen, HangsDownUnderGravity) {
  const BrickSettings heavy{.gravity = {0, -9.8, 0}};
  BrickSpecimen bricks(make_frog_line(), heavy);
  bricks.advance(kFrogLength + kFrogTendon, 0, 0.01);
  // Its fall is slowed by a damping of 20/s, fibres and strings take no part so far: g t^2 / 2.
  EXPECT_NEAR(bricks.middle_displacement().y, -0.5 * 9.8 * 1e-4, 0.1 * 0.5 * 9.8 * 1e-4);
  EXPECT_NEAR(bricks.middle_displacement().z, 0, 1e-9);
}

// Hill: v = (1 - F) / (1 + F / 0.25) of the largest, 0.138 m/s under 0.4 F0. After two milliseconds
// the belly no longer swings; fibres of bricks are damped by a hundredth of F0.
TEST(BrickSpecimen, ALoadedMuscleShortensAtTheSpeedOfItsLoad) {
  const material::MusculotendonParameters muscle = make_hill_line();
  BrickSpecimen bricks(muscle, BrickSettings{});
  bricks.hold(find_path_length(muscle, 1, 1), 1);
  const double first = bricks.load(0.4 * kFrogForce, 1, 4e-3);
  const double second = bricks.load(0.4 * kFrogForce, 1, 4e-3);
  const double expected = 0.6 / 2.6 * kFrogVelocity * kFrogLength;
  EXPECT_NEAR((first - second) / 4e-3, expected, 0.05 * expected);
}

// Fibres that turn from being stretched to shortening pass the steep middle of Hill's curve;
// tangents alone let the last brick's fly from one of its flat sides to the other and back at every
// step.
TEST(BrickSpecimen, AStretchedMuscleThatIsLetShortenPullsEvenly) {
  const material::MusculotendonParameters muscle = make_hill_line();
  BrickSpecimen bricks(muscle, BrickSettings{});
  const double step = 1e-4, fastest = kFrogVelocity * kFrogLength;
  double length = find_path_length(muscle, 0.95, 1);
  bricks.hold(length, 1);
  for (int n = 0; n < 100; ++n) bricks.advance(length += 0.2 * fastest * step, 1, step);
  double force = 0, change = 0;
  for (int n = 0; n < 150; ++n) {
    const double last = force;
    force = bricks.advance(length -= 0.3 * fastest * step, 1, step);
    if (n >= 100) change = std::max(change, std::abs(force - last));
  }
  EXPECT_NEAR(force / muscle.max_force, 0.7 / 2.2, 0.02);  // Hill
  EXPECT_LT(change, 1e-3 * muscle.max_force);
}

}  // namespace
}  // namespace sinew::lab
