#include "sinew/lab/grid_specimen.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/lab/active_bar.h"
#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"

namespace sinew::lab {
namespace {

// Delp's active curve begins at 0.401 and has 1e-4 at 0.404; mu = (F0/A) / (1/s^2 - s).
TEST(ActiveBar, HasTheForceAtRestAndTheLengthWhenFree) {
  const ActiveBarLaw law = make_active_bar_law(make_frog_line());
  EXPECT_NEAR(law.shortening, 0.4036, 0.001);
  EXPECT_NEAR(law.shear_modulus, 27500, 150);
  EXPECT_NEAR(compute_bar_pull(law, 1, 1), kFrogForce, 1e-12);
  EXPECT_NEAR(compute_bar_pull(law, law.shortening, 1), 0, 1e-12 * kFrogForce);
  EXPECT_NEAR(compute_bar_pull(law, 1, 0), 0, 1e-12 * kFrogForce);
  for (const double a : {0.0, 0.3, 0.7, 1.0}) {
    EXPECT_NEAR(compute_bar_pull(law, find_free_stretch(law, a), a), 0, 1e-12) << a;
    EXPECT_GT(compute_bar_pull(law, 1.2, a), compute_bar_pull(law, 1.1, a));
  }
}

TEST(ActiveBar, BalancesItsTendon) {
  const material::MusculotendonParameters muscle = make_frog_line();
  const ActiveBarLaw law = make_active_bar_law(muscle);
  // Where the tendon carries F0, the bar has its rest length.
  EXPECT_NEAR(compute_isometric_pull(law, muscle, find_path_length(muscle, 1, 1), 1), kFrogForce,
              1e-6);
  // Slack: a relaxed bar that is given less than its length.
  EXPECT_EQ(compute_isometric_pull(law, muscle, 0.9 * kFrogLength + kFrogTendon, 0), 0);
}

// Half as many cells as in the experiments, for time: held to 8 % of F0.
TEST(GridSpecimen, PullsAsItsLawAndKeepsItsVolume) {
  const material::MusculotendonParameters muscle = make_frog_line();
  const ActiveBarLaw law = make_active_bar_law(muscle);
  GridSpecimen grid(muscle, GridSettings{.cells = 28});
  EXPECT_NEAR(grid.volume_ratio(), 1, 1e-9);
  for (const double length : {1.0, 1.2}) {
    for (const double activation : {0.0, 1.0}) {
      const double path = length * kFrogLength + kFrogTendon;
      EXPECT_NEAR(grid.hold(path, activation),
                  compute_isometric_pull(law, muscle, path, activation), 0.08 * kFrogForce)
          << length << " " << activation;
      EXPECT_NEAR(grid.volume_ratio(), 1, 0.02);  // two cells across
    }
  }
  EXPECT_LT(grid.fiber_length(), 1.2 * kFrogLength);
  EXPECT_GT(grid.fiber_length(), 1.17 * kFrogLength);
}

TEST(GridSpecimen, IsSlackWhereItIsFree) {
  GridSpecimen grid(make_frog_line(), GridSettings{.cells = 28});
  EXPECT_NEAR(grid.hold(0.8 * kFrogLength + kFrogTendon, 0), 0, 1e-3 * kFrogForce);
  EXPECT_EQ(grid.fiber_length(), kFrogLength);
}

TEST(GridSpecimen, HangsOnClampsOnly) {
  GridSpecimen grid(make_frog_line(), GridSettings{.cells = 28});
  EXPECT_THROW(grid.load(1, 1, 0.1), std::logic_error);
}

}  // namespace
}  // namespace sinew::lab
