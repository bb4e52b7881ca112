#include "sinew/skeleton/check_skeleton.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/skeleton/read_osim.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

const CheckRow* find_row(const std::vector<CheckRow>& rows, const std::string& name) {
  for (const CheckRow& row : rows) {
    if (row.name.starts_with(name)) return &row;
  }
  return nullptr;
}

TEST(CheckSkeleton, ShowsLengthsAndMomentArmsAtRest) {
  // From (0, 1.4, 0) to (0.3, 0, 0) of the arm, whose joint is at (0, 1, 0) and turned by 0.
  const std::string points =
      point4("a", "/ground", "0 1.4 0") + point4("b", "/bodyset/arm", "0.3 0 0");
  std::string text = pin4(muscle4("Thelen2003Muscle", points, ""));
  text.replace(text.find("<default_value>0.5"), 18, "<default_value>0");
  const auto rows = check_skeleton(parse_osim(text, "small.osim"));
  const CheckRow* length = find_row(rows, "biceps: length");
  const CheckRow* arm = find_row(rows, "biceps: moment arm, angle");
  ASSERT_TRUE(length != nullptr && arm != nullptr);
  EXPECT_NEAR(length->value, 500, 1e-9);  // a 3-4-5 triangle, mm
  EXPECT_NEAR(arm->value, 240, 1e-9);     // 300 * 400 / 500
  EXPECT_EQ(find_row(rows, "mass")->value, 2);
}

TEST(CheckSkeleton, NamesWhatIsNotActedUpon) {
  const std::string limit =
      tagged("CoordinateLimitForce", "stop", "<coordinate>angle</coordinate>");
  const auto rows = check_skeleton(
      parse_osim(pin4(set_of("ForceSet", tagged("HuntCrossleyForce", "foot", "") +
                                             tagged("TorqueActuator", "motor", "") + limit)),
                 "small.osim"));
  EXPECT_NE(find_row(rows,
                     "not acted upon: HuntCrossleyForce foot (no law for it here; activations and "
                     "two-way runs want it ignored by name)"),
            nullptr);
  EXPECT_NE(
      find_row(rows, "not acted upon: TorqueActuator motor (nothing drives it: it does not act)"),
      nullptr);
  EXPECT_EQ(find_row(rows, "forces on joints besides muscles")->value, 1);
  EXPECT_EQ(find_row(rows, "not acted upon")->value, 2);
}

TEST(CheckSkeleton, SaysByWhichLawEachMusclePulls) {
  Skeleton skeleton;
  const auto add = [&](const char* kind, Muscle::Law law) {
    Muscle muscle;
    muscle.name = "m" + std::to_string(skeleton.muscles.size());
    muscle.kind = kind;
    muscle.law = law;
    skeleton.muscles.push_back(muscle);
  };
  add("Thelen2003Muscle", Muscle::Law::kThelen);
  add("Millard2012EquilibriumMuscle", Muscle::Law::kMillard);
  add("Millard2012AccelerationMuscle", Muscle::Law::kMillard);
  add("DeGrooteFregly2016Muscle", Muscle::Law::kDeGroote);
  add("RigidTendonMuscle", Muscle::Law::kHill);
  add("", Muscle::Law::kHill);  // of no file
  const std::vector<MuscleLaw> laws = list_muscle_laws(skeleton);
  ASSERT_EQ(laws.size(), 5U);
  EXPECT_EQ(laws[0].law, "Thelen 2003");
  EXPECT_EQ(laws[1].law, "Millard et al. 2013");
  EXPECT_EQ(laws[2].law, "Millard et al. 2013, without its mass");
  EXPECT_EQ(laws[3].law, "De Groote et al. 2016");
  EXPECT_EQ(laws[4].muscle, "m4");
  EXPECT_EQ(laws[4].kind, "RigidTendonMuscle");
  EXPECT_EQ(laws[4].law, "Zajac 1989 in place of its own");
}

TEST(CheckMotion, ShowsUnitExtentRateAndGapsOfMarkers) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "box.trc";
  std::ofstream(file) << "PathFileType\t4\t(X/Y/Z)\tbox.trc\n"
                         "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
                         "50\t50\t7\t2\tcm\n"
                         "Frame#\tTime\thand\t\t\telbow\t\t\n"
                         "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
                         "1\t0\t10\t20\t30\t0\t0\t0\n"
                         "2\t0.02\t\t\t\t40\t-50\t60\n"
                         "3\t0.04\t-5\t20\t30\t0\t0\t0\n";
  const auto rows = check_motion_file(file.string());
  std::filesystem::remove(file);
  const auto value = [&](const std::string& name) {
    const CheckRow* row = find_row(rows, name);
    return row == nullptr ? -1e9 : row->value;
  };
  EXPECT_EQ(value("frames"), 3);
  EXPECT_EQ(value("frames that the header promises"), 7);
  EXPECT_NEAR(value("rate"), 50, 1e-9);
  EXPECT_EQ(value("unit of the file: cm"), 0.01);
  EXPECT_NEAR(value("low x"), -0.05, 1e-12);
  EXPECT_NEAR(value("high x"), 0.4, 1e-12);
  EXPECT_NEAR(value("low y"), -0.5, 1e-12);
  EXPECT_NEAR(value("size z"), 0.3, 1e-12);
  EXPECT_EQ(value("hand: frames where it is not seen"), 1);
  EXPECT_EQ(value("elbow: frames where it is not seen"), 2);
  EXPECT_EQ(value("elbow: frames where it is 0 0 0"), 2);
  for (const char* words : {"0 0 0 is taken as not seen", "NumFrames=7"})
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const CheckRow& row) {
      return row.name.starts_with("warning: ") && row.name.find(words) != std::string::npos;
    })) << words;
}

}  // namespace
}  // namespace sinew::skeleton
