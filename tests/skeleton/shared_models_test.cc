// Every model and motion of the shared data reads, with the numbers of things that are in it.
#include <gtest/gtest.h>

#include "sinew/skeleton/check_skeleton.h"
#include "sinew/skeleton/read_bvh.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"

#include "shared_data.h"

namespace sinew::skeleton {
namespace {

struct ModelCounts {
  const char* path;
  std::size_t bodies, coordinates, couplers, wrap_objects, muscles, points, moving, conditional,
      path_wraps, markers, constraints;
};

constexpr ModelCounts kModels[] = {
    {"opensim/arm26_tutorial/arm26.osim", 4, 2, 0, 4, 6, 32, 0, 0, 7, 3, 0},
    {"opensim/moment_arms/arm26_myoconverter.osim", 4, 2, 0, 4, 6, 32, 0, 0, 7, 3, 0},
    {"opensim/arm26_core/arm26.osim", 3, 2, 0, 4, 6, 32, 0, 0, 7, 3, 0},
    {"opensim/arm26_core/cmc/arm26.osim", 3, 2, 0, 4, 6, 32, 0, 0, 7, 3, 0},
    {"opensim/arm26_core/forward/arm26.osim", 3, 2, 0, 4, 6, 32, 0, 0, 7, 3, 0},
    {"opensim/leg_gait10dof18musc/gait10dof18musc_myoconverter.osim", 13, 10, 0, 0, 18, 60, 4, 8, 0,
     0, 0},
    {"opensim/leg_gait10dof18musc/walk/subject01_scaled.osim", 13, 10, 0, 0, 18, 60, 4, 8, 0, 39,
     0},
    {"opensim/leg_gait10dof18musc/ik/subject01.osim", 13, 10, 0, 0, 18, 60, 4, 8, 0, 39, 0},
    {"opensim/upper_extremity/ThoracoscapularShoulderModel.osim", 8, 17, 0, 10, 33, 78, 5, 0, 37,
     21, 1},
    {"opensim/upper_extremity/das4_v4.osim", 31, 41, 2, 66, 164, 485, 9, 1, 176, 15, 0},
    {"opensim/upper_extremity/wrist.osim", 29, 13, 3, 0, 26, 217, 0, 54, 0, 0, 0},
    {"opensim/eye_upat/UPAT_Eye_Model_Passive_Pulleys_v1.osim", 3, 6, 0, 2, 6, 18, 0, 0, 6, 2, 0},
    {"opensim/eye_upat/UPAT_Eye_Model_Passive_Pulleys_v3.osim", 3, 6, 3, 2, 6, 18, 0, 0, 6, 2, 0},
    {"opensim/eye_upat/UPAT_Eye_Model_Passive_Pulleys_v4.osim", 3, 6, 3, 2, 6, 18, 0, 0, 6, 2, 0},
    {"motion/shoulder_abduction_bonepin/subject1_abdbonepin.osim", 8, 17, 0, 1, 0, 0, 0, 0, 0, 11,
     1},
};

void expect_counts(const Skeleton& skeleton, const ModelCounts& expected) {
  std::size_t couplers = 0, points = 0, moving = 0, conditional = 0, path_wraps = 0;
  for (const Coordinate& coordinate : skeleton.coordinates) couplers += coordinate.coupler ? 1 : 0;
  for (const Muscle& muscle : skeleton.muscles) {
    points += muscle.path.points.size();
    path_wraps += muscle.path.wraps.size();
    for (const PathPoint& point : muscle.path.points) {
      moving += std::holds_alternative<MovingPoint>(point.rule) ? 1 : 0;
      conditional += std::holds_alternative<ConditionalPoint>(point.rule) ? 1 : 0;
    }
  }
  EXPECT_EQ(skeleton.bodies.size(), expected.bodies) << expected.path;
  EXPECT_EQ(skeleton.coordinates.size(), expected.coordinates) << expected.path;
  EXPECT_EQ(couplers, expected.couplers) << expected.path;
  EXPECT_EQ(skeleton.wrap_objects.size(), expected.wrap_objects) << expected.path;
  EXPECT_EQ(skeleton.muscles.size(), expected.muscles) << expected.path;
  EXPECT_EQ(points, expected.points) << expected.path;
  EXPECT_EQ(moving, expected.moving) << expected.path;
  EXPECT_EQ(conditional, expected.conditional) << expected.path;
  EXPECT_EQ(path_wraps, expected.path_wraps) << expected.path;
  EXPECT_EQ(skeleton.markers.size(), expected.markers) << expected.path;
  EXPECT_EQ(skeleton.constraints.size(), expected.constraints) << expected.path;
}

TEST(SharedModels, HaveTheirNumbersOfThings) {
  const std::filesystem::path data = find_shared_data();
  if (!std::filesystem::exists(data / "opensim")) GTEST_SKIP() << "skipped: no data";
  for (const ModelCounts& expected : kModels) {
    expect_counts(read_osim((data / expected.path).string()), expected);
  }
}

TEST(SharedModels, ParentsComeFirstAndEveryBodyHasAFinitePlace) {
  const std::filesystem::path data = find_shared_data();
  if (!std::filesystem::exists(data / "opensim")) GTEST_SKIP() << "skipped: no data";
  for (const ModelCounts& model : kModels) {
    const Skeleton skeleton = read_osim((data / model.path).string());
    for (std::size_t b = 1; b < skeleton.bodies.size(); ++b) {
      EXPECT_LT(skeleton.bodies[b].parent, b) << model.path;
    }
    for (const CheckRow& row : check_skeleton(skeleton)) EXPECT_TRUE(row.pass) << row.name;
  }
}

TEST(SharedModels, EveryMotionReads) {
  const std::filesystem::path data = find_shared_data();
  if (!std::filesystem::exists(data / "opensim")) GTEST_SKIP() << "skipped: no data";
  std::size_t num_files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".mot" && ending != ".sto" && ending != ".trc") continue;
    EXPECT_GT(check_motion_file(entry.path().string()).size(), 3U);
    ++num_files;
  }
  EXPECT_GT(num_files, 20U);
}

TEST(SharedModels, AMotionWithoutInDegreesIsInDegrees) {
  const std::filesystem::path data = find_shared_data() / "opensim/arm26_core";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "skipped: no data";
  const Skeleton skeleton = read_osim((data / "arm26.osim").string());
  ColumnUse use;
  const Motion motion =
      make_motion(skeleton, read_time_table((data / "arm26_InverseKinematics.mot").string()), &use);
  EXPECT_EQ(use.ignored.size(), 9U);  // three coordinates of each marker
  EXPECT_NEAR(motion.q[0][1], 0.89932091 * 3.14159265358979 / 180, 1e-12);
}

TEST(SharedModels, TheCaptureOfADrinkHasItsJointsAndFrames) {
  const std::filesystem::path file = find_shared_data() / "motion/cmu_14_37_drink_soda.bvh";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "skipped: no data";
  const BvhFile bvh = read_bvh(file.string(), 0.056);
  EXPECT_EQ(bvh.skeleton.bodies.size(), 1U + 31U);
  EXPECT_EQ(bvh.skeleton.coordinates.size(), 6U + 3U * 30U);
  EXPECT_GT(bvh.motion.times.size(), 100U);
}

}  // namespace
}  // namespace sinew::skeleton
