#include "sinew/skeleton/inverse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/skeleton/external_loads.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"

#include "shared_data.h"
#include "skeleton/sample_skeletons.h"

namespace sinew::skeleton {
namespace {

TEST(InverseDynamics, HeldRodNeedsItsWeightsMoment) {
  const Skeleton skeleton = make_pendulum(1);
  const SmoothMotion motion{{0, 1}, {{0.5}, {0.7}}, {{1}, {2}}, {{3}, {4}}};
  const auto held = compute_joint_moments(skeleton, motion, true);
  const auto moved = compute_joint_moments(skeleton, motion, false);
  for (std::size_t i = 0; i < 2; ++i) {
    const double weight = 0.5 * 9.80665 * std::sin(motion.q[i][0]);
    EXPECT_NEAR(held[i][0], weight, 1e-12);
    EXPECT_NEAR(moved[i][0], weight + motion.udot[i][0] / 3, 1e-12);
  }
  EXPECT_THROW(compute_joint_moments(skeleton, motion, true, {{}}), std::invalid_argument);
}

TEST(InverseDynamics, LoadsAreTakenOff) {
  const Skeleton skeleton = make_pendulum(1);
  const SmoothMotion motion{{0}, {{0}}, {{0}}, {{0}}};
  const auto moments =
      compute_joint_moments(skeleton, motion, true, {{{1, {0, -1, 0}, {2, 0, 0}, {0, 0, 0.5}}}});
  EXPECT_NEAR(moments[0][0], -2.5, 1e-12);
}

struct Comparison {
  double largest = 0, rms = 0, peak = 0;
};

// All columns of stored results but the first and last `margin` rows.
Comparison compare(const Skeleton& skeleton, const std::filesystem::path& motion_file,
                   const std::filesystem::path& stored_file, double cutoff_hz, std::size_t margin,
                   const std::filesystem::path& loads_file = {}) {
  const Motion motion = make_motion(skeleton, read_time_table(motion_file.string()));
  const TimeTable stored = read_time_table(stored_file.string());
  const SmoothMotion smooth = smooth_motion(motion, cutoff_hz, stored.times);
  std::vector<std::vector<Load>> loads;
  if (!loads_file.empty())
    loads = compute_loads(skeleton, read_external_loads(skeleton, loads_file.string()), smooth);
  const auto moments = compute_joint_moments(skeleton, smooth, false, loads);
  Comparison out;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < stored.columns.size(); ++c) {
    const std::string& column = stored.columns[c];
    const std::size_t k = find_coordinate(skeleton, column.substr(0, column.rfind('_')));
    if (k == kNone) continue;
    for (std::size_t i = margin; i + margin < stored.times.size(); ++i, ++count) {
      const double error = moments[i][k] - stored.rows[i][c];
      out.largest = std::max(out.largest, std::abs(error));
      out.peak = std::max(out.peak, std::abs(stored.rows[i][c]));
      sum += error * error;
    }
  }
  out.rms = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
  return out;
}

class StoredInverseDynamics : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = find_shared_data() / "opensim";
    if (!std::filesystem::exists(folder_ / "arm26_tutorial")) GTEST_SKIP() << "skipped: no data";
  }
  std::filesystem::path folder_;
};

TEST_F(StoredInverseDynamics, TutorialArmFiltered) {
  const auto tutorial = folder_ / "arm26_tutorial";
  const Skeleton skeleton = read_osim((tutorial / "arm26.osim").string());
  const auto result = compare(skeleton, tutorial / "reference/arm26_InverseKinematics.mot",
                              tutorial / "reference/arm26_InverseDynamics_filtered.sto", 6, 0);
  EXPECT_GT(result.peak, 2);
  EXPECT_LT(result.largest, 1e-7);  // the file has eight decimals
}

TEST_F(StoredInverseDynamics, TutorialArmUnfiltered) {
  const auto tutorial = folder_ / "arm26_tutorial";
  const Skeleton skeleton = read_osim((tutorial / "arm26.osim").string());
  const auto result = compare(skeleton, tutorial / "reference/arm26_InverseKinematics.mot",
                              tutorial / "reference/arm26_InverseDynamics_unfiltered.sto", 0, 0);
  EXPECT_GT(result.peak, 2);
  EXPECT_LT(result.largest, 1e-7);  // the file has eight decimals
}

TEST_F(StoredInverseDynamics, CoreArm) {
  const auto core = folder_ / "arm26_core";
  const Skeleton skeleton = read_osim((core / "arm26.osim").string());
  const auto result = compare(skeleton, core / "arm26_InverseKinematics.mot",
                              core / "std_arm26_InverseDynamics.sto", 6, 0);
  EXPECT_GT(result.peak, 1);
  EXPECT_LT(result.largest, 2e-3);  // 1.4e-3 was reached
  EXPECT_LT(result.rms, 2e-4);
}

TEST_F(StoredInverseDynamics, WalkWithForcesUnderTheFeet) {
  const auto walk = folder_ / "leg_gait10dof18musc/walk";
  const Skeleton skeleton = read_osim((walk / "subject01_scaled.osim").string());
  const auto result = compare(skeleton, walk / "reference/subject01_walk1_ik.mot",
                              walk / "reference/subject01_inverse_dynamics.sto", 6, 5,
                              walk / "subject01_walk1_grf.xml");
  EXPECT_GT(result.peak, 100);
  EXPECT_LT(result.largest, 0.02);  // 0.008 was reached
  EXPECT_LT(result.rms, 2e-3);
}

}  // namespace
}  // namespace sinew::skeleton
