#include "sinew/coupling/calibrate_model.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/coupling/model_skeleton.h"

#include "coupling/model_fixtures.h"

namespace sinew::coupling {
namespace {

std::string write_scratch(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / "calibration_test.csv";
  std::ofstream(path) << text;
  return path.string();
}

std::string message_of(const std::string& text) {
  try {
    read_strengths(write_scratch(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CalibrateModel, RowsOfMusclesThatWereCalibratedBeforeStay) {
  const std::string head = "muscle,strength\n";
  EXPECT_EQ(keep_other_muscles(head + "a,1\nb,2\nc,3\n", head + "b,9\nd,8\n"),
            head + "b,9\nd,8\na,1\nc,3\n");
  EXPECT_EQ(keep_other_muscles("", head + "b,9\n"), head + "b,9\n");
  EXPECT_EQ(keep_other_muscles("other,words\na,1\n", head + "b,9\n"), head + "b,9\n");
}

TEST(CalibrateModel, AMusclePullsAsItsLineAndBothCurvesAreThere) {
  const anatomy::Model model = make_arm(0.012);
  const skeleton::Skeleton skeleton = make_skeleton(model, MuscleMass::kOnBones);
  const MuscleCalibration found = calibrate_muscle(model, skeleton, "flexor", {0.02, {}});
  EXPECT_NEAR(found.volume.force, found.max_force, 0.02 * found.max_force);
  EXPECT_NE(found.volume.strength, 1);
  ASSERT_EQ(found.line.size(), found.volume.curve.size());
  // The line is strongest within the shifts, too, and its summit is F0.
  double best = 0;
  for (const LinePoint& point : found.line) best = std::max(best, point.total - point.passive);
  EXPECT_NEAR(best, found.max_force, 0.05 * found.max_force);
  EXPECT_LT(found.line.front().total, 0.95 * best);
}

TEST(CalibrateModel, UnknownMusclesAreRefused) {
  const anatomy::Model model = make_arm();
  skeleton::Skeleton skeleton = make_skeleton(model, MuscleMass::kOnBones);
  EXPECT_THROW(calibrate_muscle(model, skeleton, "flexors", {}), std::invalid_argument);
  skeleton.muscles.clear();
  EXPECT_THROW(calibrate_muscle(model, skeleton, "flexor", {}), std::invalid_argument);
}

TEST(CalibrateModel, FactorsComeBackFromTheirFile) {
  MuscleCalibration a{"biceps", 100, 0.1, {}, {}}, b{"triceps", 200, 0.1, {}, {}};
  a.volume.strength = 1.25, b.volume.strength = 0.1 + 0.2;
  const auto read = read_strengths(write_scratch(write_strengths({a, b})));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read.at("biceps"), 1.25);
  EXPECT_NEAR(read.at("triceps"), 0.3, 1e-9);
}

TEST(CalibrateModel, DamagedFilesAreRefusedWithTheirLine) {
  const std::string head = write_strengths({});
  EXPECT_NE(message_of("muscle,factor\n").find("line 1"), std::string::npos);
  EXPECT_NE(message_of(head).find("names no muscle"), std::string::npos);
  EXPECT_NE(message_of(head + "biceps,1.2\n").find("line 2"), std::string::npos);
  EXPECT_NE(message_of(head + "biceps,-1,1,1,1,1\n").find("0.01 to 100"), std::string::npos);
  EXPECT_NE(message_of(head + "biceps,nan,1,1,1,1\n").find("0.01 to 100"), std::string::npos);
  EXPECT_NE(message_of(head + "a,1,1,1,1,1\na,1,1,1,1,1\n").find("twice"), std::string::npos);
  EXPECT_THROW(read_strengths("/nonexistent/calibration.csv"), InputError);
}

TEST(CalibrateModel, CurvesHaveARowAShift) {
  MuscleCalibration a{"biceps", 100, 0.1, {}, {}};
  a.volume.curve = {{-0.01, 1, 50}, {0, 2, 100}};
  a.line = {{1, 40}, {2, 90}};
  const std::string text = write_force_lengths({a});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find("biceps,0,2,100,2,90"), std::string::npos);
}

}  // namespace
}  // namespace sinew::coupling
