#include "sinew/lab/tet_specimen.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/tet_prism.h"

namespace sinew::lab {
namespace {

constexpr Options kTets{.line = false, .tets = true, .bricks = false, .grids = false};

void expect_pass(const Result& result) {
  EXPECT_FALSE(result.rows.empty());
  for (const CheckRow& row : result.rows) {
    EXPECT_TRUE(row.pass) << row.name << " " << row.value << " " << row.limit;
  }
}

double volume(const TetPrism& prism, std::size_t t) {
  const auto& x = prism.mesh.rest_positions;
  const auto& n = prism.mesh.tets[t];
  return dot(x[n[1]] - x[n[0]], cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[0]])) / 6;
}

TEST(TetPrism, FillsTheBoxAndHangsOnStrings) {
  const TetPrism prism = make_tet_prism(0.06, 1.6e-5, 3, 0.01);
  ASSERT_EQ(prism.num_belly_tets, 18U);
  ASSERT_EQ(prism.mesh.tets.size(), 26U);
  double belly = 0, strings = 0;
  for (std::size_t t = 0; t < prism.mesh.tets.size(); ++t) {
    EXPECT_GT(volume(prism, t), 0) << t;
    (t < prism.num_belly_tets ? belly : strings) += volume(prism, t);
  }
  EXPECT_NEAR(belly, 0.06 * 1.6e-5, 1e-18);
  // Pyramids over bases that have the ends' area together: a third of it times their height.
  EXPECT_NEAR(strings, 2 * 1.6e-5 * 0.01 / 3, 1e-18);
  EXPECT_EQ(prism.clamps[0].size(), 12U);
  EXPECT_EQ(prism.clamps[1].size(), 12U);
}

// The matrix adds 2 kPa (l - 1/l^2) / 3 times the section, at most 0.011 F0 between 0.7 and 1.5.
TEST(TetSpecimen, PullsAsTheLineMuscleAtRest) {
  const material::MusculotendonParameters muscle = make_frog_line();
  TetSpecimen tets(muscle, TetSettings{});
  const auto line = make_line_specimen(muscle);
  for (const double length : {0.7, 1.0, 1.2, 1.5}) {
    for (const double activation : {0.0, 0.4, 1.0}) {
      const double path = length * kFrogLength + kFrogTendon;
      EXPECT_NEAR(tets.hold(path, activation), line->hold(path, activation), 0.012 * kFrogForce)
          << length << " " << activation;
      if (activation > 0) {
        EXPECT_NEAR(tets.fiber_length(), line->fiber_length(), 0.002 * kFrogLength);
      }
      EXPECT_NEAR(tets.volume_ratio(), 1, 0.01);
    }
  }
  EXPECT_LT(tets.imbalance(), 1e-3 * kFrogForce);
}

TEST(TetSpecimen, MovesAsTheLineMuscle) {
  const material::MusculotendonParameters muscle = make_hill_line();
  TetSpecimen tets(muscle, TetSettings{});
  const auto line = make_line_specimen(muscle);
  const double start = find_path_length(muscle, 1, 1);
  tets.hold(start, 1), line->hold(start, 1);
  for (int n = 1; n <= 5; ++n) {
    const double path = start - 2e-4 * n;
    EXPECT_NEAR(tets.advance(path, 1, 1e-3), line->advance(path, 1, 1e-3), 0.01 * kFrogForce);
  }
  EXPECT_NEAR(tets.fiber_length(), line->fiber_length(), 1e-5);
  EXPECT_LT(tets.fiber_length(), kFrogLength - 5e-4);
}

TEST(TetSpecimen, AClampAndAWeightAreTwoWaysToTheSame) {
  const material::MusculotendonParameters muscle = make_hill_line();
  TetSpecimen clamped(muscle, TetSettings{}), loaded(muscle, TetSettings{});
  clamped.hold(find_path_length(muscle, 1, 1), 1);
  loaded.hold(find_path_length(muscle, 1, 1), 1);
  const double length = loaded.load(0.6 * kFrogForce, 1, 1e-3);
  EXPECT_NEAR(clamped.advance(length, 1, 1e-3), 0.6 * kFrogForce, 1e-3 * kFrogForce);
  EXPECT_NEAR(clamped.fiber_length(), loaded.fiber_length(), 1e-6);
}

// The bar softens between 1.04 and 1.31 rest lengths: even boxes are not stable there.
TEST(TetSpecimen, ManyBoxesDivideOnlyWhereTheForceFalls) {
  TetSpecimen tets(make_frog_line(), TetSettings{.boxes = 8});
  tets.hold(0.9 * kFrogLength + kFrogTendon, 1);
  EXPECT_LT(tets.unevenness(), 0.02);
  tets.hold(1.2 * kFrogLength + kFrogTendon, 1);
  EXPECT_GT(tets.unevenness(), 0.2);
  EXPECT_LT(tets.imbalance(), 1e-3 * kFrogForce);
}

TEST(TetExperiments, TensionLengthIsThatOfTheLineMuscle) {
  expect_pass(run_tension_length({.line = true, .tets = true, .bricks = false, .grids = false}));
}
TEST(TetExperiments, AnIsotonicReleaseHasTwoPhases) {
  expect_pass(run_isotonic(kTets));
}
TEST(TetExperiments, VolumeIsKept) {
  expect_pass(run_volume(kTets));
}

}  // namespace
}  // namespace sinew::lab
