#include <cmath>

#include <gtest/gtest.h>

#include "sinew/lab/experiments.h"
#include "sinew/lab/frog.h"
#include "sinew/lab/specimen.h"

namespace sinew::lab {
namespace {

const CheckRow& find_row(const Result& result, const std::string& name) {
  for (const CheckRow& row : result.rows) {
    if (row.name == name) return row;
  }
  throw std::invalid_argument("no row " + name);
}

void expect_pass(const Result& result) {
  EXPECT_FALSE(result.rows.empty());
  for (const CheckRow& row : result.rows) {
    EXPECT_TRUE(row.pass) << row.name << " " << row.value << " " << row.limit;
  }
  for (const Plot& plot : result.plots) {
    for (const Series& series : plot.series) {
      ASSERT_EQ(series.x.size(), series.y.size()) << series.label;
      for (const double y : series.y) EXPECT_TRUE(std::isfinite(y)) << series.label;
    }
  }
}

constexpr Options kLine{.line = true, .tets = false, .bricks = false, .grids = false};

TEST(LineSpecimen, PathLengthIsWhereFibresCarryTheForce) {
  const material::MusculotendonParameters muscle = make_frog_line();
  // The active curve is 1.0002 at rest length: the balance is off by that much of the tendon.
  const auto state = material::compute_isometric_state(muscle, find_path_length(muscle, 1, 1), 1);
  EXPECT_NEAR(state.fiber_length, kFrogLength, 1e-6);
  EXPECT_NEAR(state.tendon_force, kFrogForce, 1e-3);
  EXPECT_EQ(find_path_length(muscle, 0.7, 0), 0.7 * kFrogLength + kFrogTendon);
}

TEST(LineSpecimen, ALoadedMuscleShortensAtTheSpeedOfItsLoad) {
  const material::MusculotendonParameters muscle = make_hill_line();
  const auto specimen = make_line_specimen(muscle);
  specimen->hold(find_path_length(muscle, 1, 1), 1);
  const double dt = 1e-5;
  const double first = specimen->load(0.4 * kFrogForce, 1, dt);
  const double second = specimen->load(0.4 * kFrogForce, 1, dt);
  // Hill: v = (1 - F) / (1 + F / 0.25) of the largest; damping takes 1e-3 of F0 away.
  const double expected = 0.6 / 2.6 * kFrogVelocity * kFrogLength;
  EXPECT_NEAR((first - second) / dt, expected, 3e-3 * expected);
  EXPECT_NEAR(specimen->fiber_length(), kFrogLength - 2 * expected * dt, 1e-6);
}

TEST(LineSpecimen, AClampAndAWeightAreTwoWaysToTheSame) {
  const material::MusculotendonParameters muscle = make_hill_line();
  const auto clamped = make_line_specimen(muscle), loaded = make_line_specimen(muscle);
  clamped->hold(find_path_length(muscle, 1, 1), 1);
  loaded->hold(find_path_length(muscle, 1, 1), 1);
  const double length = loaded->load(0.6 * kFrogForce, 1, 1e-3);
  EXPECT_NEAR(clamped->advance(length, 1, 1e-3), 0.6 * kFrogForce, 1e-6);
  EXPECT_NEAR(clamped->fiber_length(), loaded->fiber_length(), 1e-9);
}

TEST(LineExperiments, TendonLengthShiftsAsInFigure226) {
  expect_pass(run_tendon_length(kLine));
}

TEST(LineExperiments, TensionLengthPeaksAtRestLength) {
  const Result result = run_tension_length(kLine);
  expect_pass(result);
  // The active curve of Delp is 1.0002 at 1; the tendon gives 1.1 % of the rest length.
  EXPECT_NEAR(find_row(result, "line: developed force, peak").value, 2.77, 0.005);
  EXPECT_NEAR(find_row(result, "line: length of the peak").value, 1.010, 0.003);
}

TEST(LineExperiments, ReleasesAtConstantSpeedGiveHillsHyperbola) {
  expect_pass(run_force_velocity(kLine));
}

TEST(LineExperiments, AnIsotonicReleaseHasTwoPhases) {
  expect_pass(run_isotonic(kLine));
}

TEST(LineExperiments, AQuickReleaseUndershootsAndRecovers) {
  const Result result = run_quick_release(kLine);
  expect_pass(result);
  // 12.3 mm of slack at 0.6 m/s are 20.6 ms, then the tendon is stretched.
  EXPECT_NEAR(find_row(result, "line: half-time of the recovery").value, 22.3, 0.5);
}

TEST(LineExperiments, TwitchesAddUpToATetanus) {
  expect_pass(run_twitch_summation(kLine));
}

}  // namespace
}  // namespace sinew::lab
