#include "sinew/skeleton/read_ik_setup.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

std::string wrap(const std::string& tasks, const std::string& rest) {
  return "<OpenSimDocument><InverseKinematicsTool><IKTaskSet><objects>" + tasks +
         "</objects></IKTaskSet>" + rest + "</InverseKinematicsTool></OpenSimDocument>";
}

TEST(ReadIkSetup, TakesTasksAndTimes) {
  const Skeleton arm = make_space_arm();
  const IkSettings settings = parse_ik_setup(
      wrap("<IKMarkerTask name=\"a\"><apply>true</apply><weight>2.5</weight></IKMarkerTask>"
           "<IKMarkerTask name=\"b\"><apply>false</apply><weight>3</weight></IKMarkerTask>"
           "<IKCoordinateTask name=\"forearm\"><weight>0.1</weight>"
           "<value_type>manual_value</value_type><value>90</value></IKCoordinateTask>",
           "<time_range> 0.5 2 </time_range>"),
      "setup.xml", arm);
  EXPECT_EQ(settings.weights.at("a"), 2.5);
  EXPECT_EQ(settings.weights.at("b"), 0);
  EXPECT_EQ(settings.other_weight, 0);
  EXPECT_EQ(settings.time_range[1], 2);
  ASSERT_EQ(settings.coordinate_goals.size(), 1u);
  EXPECT_EQ(settings.coordinate_goals[0].coordinate, 3u);
  EXPECT_NEAR(settings.coordinate_goals[0].value, std::numbers::pi / 2, 1e-15);
}

TEST(ReadIkSetup, TakesTasksOfAnotherFile) {
  const Skeleton arm = make_space_arm();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "ik_tasks";
  std::filesystem::create_directories(folder);
  const std::string set =
      "<IKTaskSet name=\"s\"><objects><IKMarkerTask name=\"a\"><weight>4</weight></IKMarkerTask>"
      "</objects></IKTaskSet>";
  std::ofstream(folder / "tasks.xml") << "<OpenSimDocument>" << set << "</OpenSimDocument>";
  std::ofstream(folder / "bare.xml") << set;
  const auto read = [&](const std::string& named) {
    return parse_ik_setup("<OpenSimDocument><InverseKinematicsTool><IKTaskSet file=\"" + named +
                              "\"/></InverseKinematicsTool></OpenSimDocument>",
                          (folder / "setup.xml").string(), arm);
  };
  for (const char* named : {"tasks.xml", "bare.xml", "E:\\study\\tasks.xml", "/else/tasks.xml"}) {
    EXPECT_EQ(read(named).weights.at("a"), 4) << named;
    EXPECT_EQ(read(named).other_weight, 0) << named;
  }
  EXPECT_EQ(read("Unassigned").other_weight, 1);
  EXPECT_THROW(read("missing.xml"), InputError);
}

// Versions 2 and 3 misspell the tool; before, it was an IKTool with its times in trials, and the
// root itself.
TEST(ReadIkSetup, TakesTheNamesOfOlderVersions) {
  const Skeleton arm = make_space_arm();
  const std::string tasks =
      "<IKTaskSet><objects><IKMarkerTask name=\"a\"><weight>2.5</weight></IKMarkerTask></objects>"
      "</IKTaskSet>";
  const std::string times = "<time_range>0.5 2</time_range>";
  const std::string trials = "<IKTrialSet><objects><IKTrial name=\"t\">" + times +
                             "</IKTrial><IKTrial name=\"u\"><time_range>7 8</time_range></IKTrial>"
                             "</objects></IKTrialSet>";
  const auto in = [](const std::string& tag, const std::string& inside) {
    std::string text = "<";
    return text.append(tag).append(">").append(inside).append("</").append(tag).append(">");
  };
  for (const std::string& text :
       {in("OpenSimDocument", in("InverseKinemtaticsTool", tasks + times)),
        in("InverseKinemtaticsTool", tasks + times), in("InverseKinematicsTool", tasks + times),
        in("OpenSimDocument", in("IKTool", tasks + trials)), in("IKTool", trials + tasks)}) {
    const IkSettings settings = parse_ik_setup(text, "setup.xml", arm);
    EXPECT_EQ(settings.weights.at("a"), 2.5) << text;
    EXPECT_EQ(settings.time_range[0], 0.5) << text;
    EXPECT_EQ(settings.time_range[1], 2) << text;
  }
}

TEST(ReadIkSetup, RefusesWhatItCannotMean) {
  const Skeleton arm = make_space_arm();
  const auto refused = [&](const std::string& text) {
    EXPECT_THROW(parse_ik_setup(text, "setup.xml", arm), InputError) << text;
  };
  refused("<OpenSimDocument><AnalyzeTool/></OpenSimDocument>");
  refused("nothing");
  refused(wrap("<IKMarkerTask name=\"a\"><weight>-1</weight></IKMarkerTask>", ""));
  refused(wrap("<IKMarkerTask name=\"a\"><weight>x</weight></IKMarkerTask>", ""));
  refused(wrap("<IKCoordinateTask name=\"tail\"><weight>1</weight></IKCoordinateTask>", ""));
  refused(
      wrap("<IKCoordinateTask name=\"hand\"><value_type>from_file</value_type>"
           "</IKCoordinateTask>",
           ""));
  refused(wrap("", "<accuracy>0</accuracy>"));
}

}  // namespace
}  // namespace sinew::skeleton
