#include "sinew/lab/brick_specimen.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/lab/frog.h"

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
  EXPECT_NEAR(bricks.fiber_length(), line->fiber_length(), 0.001 * kFrogLength);
  EXPECT_NEAR(bricks.volume_ratio(), 1, 0.005);
}

TEST(BrickSpecimen, SmallStrainsLoseVolumeWhenStretched) {
  const BrickSettings small{.strain = brick::Strain::kSmall, .poisson_ratio = 0.49};
  BrickSpecimen bricks(make_frog_line(), small);
  bricks.hold(1.2 * kFrogLength + kFrogTendon, 0);
  // 1.2 (1 - 0.49 * 0.2)^2 = 0.976.
  EXPECT_NEAR(bricks.volume_ratio(), 0.976, 0.005);
}

TEST(BrickSpecimen, HangsOnClampsOnly) {
  BrickSpecimen bricks(make_frog_line(), BrickSettings{});
  EXPECT_THROW(bricks.load(1, 1, 0.1), std::logic_error);
}

}  // namespace
}  // namespace sinew::lab
