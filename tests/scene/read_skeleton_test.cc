#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"

#include "record/sample_recording.h"
#include "test_paths.h"

namespace sinew::scene {
namespace {

// One body on the upper arm of tests/data/skeletons/arm.osim: coordinates shoulder_angle,
// elbow_angle, wrist_angle (follows the elbow) and finger_angle (locked).
std::string arm_scene(const std::string& skeleton, const std::string& more = "") {
  return "duration = 1\n[solver]\nintegrator = \"backward-euler\"\n[skeleton]\nfile = "
         "\"skeletons/arm.osim\"\ntwo_way = true\ncollide = false\n" +
         skeleton +
         "[[bodies]]\nname = \"flexor\"\nresolution = 0.02\nfibers = { type = \"constant\", "
         "direction = [0, 1, 0] }\nshape = { type = \"box\", center = [0.03, -0.2, 0], size = "
         "[0.04, 0.3, 0.04] }\nmaterial = { preset = \"muscle\" }\n" +
         more +
         "[[bodies.attachments]]\nname = \"origin\"\nbone = \"upper\"\n"
         "shape = { type = \"plane\", point = [0, -0.07, 0], normal = [0, -1, 0] }\n";
}

Scene parse_arm(const std::string& skeleton, const std::string& more = "") {
  return parse_scene(arm_scene(skeleton, more), SINEW_TEST_DATA "/arm.toml");
}

std::string refusal(const std::string& skeleton) {
  try {
    parse_arm(skeleton);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string all_notes(const Scene& scene) {
  std::string all;
  for (const std::string& note : scene.skeleton->notes) all += note + "\n";
  return all;
}

// A table in a scratch file, as a scene names it.
std::string motion_of(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
  std::ofstream(path) << text;
  return "[skeleton.motion]\nfile = \"" + path + "\"\n";
}

double angle_at(const Scene& scene, double time, std::size_t coordinate) {
  skeleton::MotionPose pose;
  evaluate(*scene.skeleton->motion, time, pose);
  return pose.q[coordinate];
}

TEST(ReadSkeleton, AMotionOfEveryCoordinatePrescribesOnlyThoseThatAreFree) {
  const Scene scene = parse_arm("[skeleton.motion]\nfile = \"skeletons/lift.mot\"\n");
  EXPECT_EQ(scene.skeleton->prescribed, (std::vector<std::size_t>{0, 1}));
  EXPECT_NO_THROW(make_engine(scene)->advance(0.02));  // also the coupled one's column
}

TEST(ReadSkeleton, PathsOfStatesMoveTheArm) {
  const Scene scene = parse_arm(
      motion_of("states.sto",
                "states\nnRows=2\nnColumns=3\nendheader\n"
                "time\t/jointset/elbow/elbow_angle/value\t/jointset/elbow/elbow_angle/speed\n"
                "0\t0.25\t0\n1\t0.75\t0\n"));
  EXPECT_EQ(scene.skeleton->prescribed, (std::vector<std::size_t>{1}));
  EXPECT_DOUBLE_EQ(angle_at(scene, 1, 1), 0.75);
  EXPECT_NE(all_notes(scene).find("are no coordinates have no effect"), std::string::npos);
}

TEST(ReadSkeleton, HeldCoordinatesStayAndAreNamed) {
  const std::string table =
      "x\nnRows=2\nnColumns=4\nendheader\ntime\tshoulder_angle\telbow_angle\tfinger_angle\n"
      "0\t0.1\t0.2\t0.3\n1\t0.2\t0.4\t0.5\n";
  const Scene scene = parse_arm("hold = [\"shoulder_angle\"]\n" + motion_of("held.sto", table));
  EXPECT_EQ(scene.skeleton->prescribed, (std::vector<std::size_t>{1}));
  for (const std::size_t i : {0U, 3U}) EXPECT_EQ(angle_at(scene, 0.5, i), 0);
  EXPECT_GT(angle_at(scene, 0.5, 1), 0.25);
  EXPECT_NE(all_notes(scene).find("\"shoulder_angle\" is held"), std::string::npos);
  EXPECT_NE(all_notes(scene).find("\"finger_angle\" is held"), std::string::npos);
  // A column that says what the hold says is no news.
  EXPECT_EQ(all_notes(parse_arm("[skeleton.motion]\nfile = \"skeletons/lift.mot\"\n")).find("held"),
            std::string::npos);
  EXPECT_NE(refusal("hold = [\"elbow_angle\"]\n[[skeleton.moves]]\ncoordinate = \"elbow_angle\"\n"
                    "times = [0]\nangles_deg = [3]\n")
                .find("is held"),
            std::string::npos);
}

TEST(ReadSkeleton, KeysOfColumnsAreNamesOfThisScene) {
  const std::string motion = "[skeleton.motion]\nfile = \"skeletons/lift.mot\"\ncolumns = ";
  EXPECT_NE(
      refusal(motion + "{ elbow_angel = \"elbow_angle\" }\n").find("did you mean \"elbow_angle\"?"),
      std::string::npos);
  EXPECT_NE(
      refusal(motion + "{ elbow_angle = \"elbow_angel\" }\n").find("did you mean \"elbow_angle\"?"),
      std::string::npos);
  const std::string activations =
      "[skeleton.activations]\nfile = \"skeletons/lift.mot\"\ncolumns = ";
  EXPECT_NE(
      refusal(activations + "{ flexer = \"elbow_angle\" }\n").find("did you mean \"flexor\"?"),
      std::string::npos);
  EXPECT_EQ(refusal(activations + "{ flexor = \"elbow_angle\" }\n"), "accepted");
}

TEST(ReadSkeleton, SaysThatWeightsPullAtBonesThatForcesMoveOnly) {
  const std::string weight = "[[skeleton.weights]]\nbody = \"lower\"\nmass = 1\n";
  EXPECT_EQ(all_notes(parse_arm(weight)).find("have no effect"), std::string::npos);
  std::string one_way = arm_scene(weight);
  one_way.replace(one_way.find("two_way = true"), 14, "two_way = false");
  const Scene scene = parse_scene(one_way, SINEW_TEST_DATA "/arm.toml");
  EXPECT_NE(all_notes(scene).find("[[skeleton.weights]] have no effect"), std::string::npos);
}

// An .osim file has no key for its unit: whoever wrote 300 meant millimetres.
TEST(ReadSkeleton, AsksWhetherBodiesThatAreMetresApartAreInMetres) {
  const record::sample::Folder folder;
  std::ifstream file(SINEW_TEST_DATA "/skeletons/arm.osim");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string length = "<translation>0 -0.3 0<";
  ASSERT_NE(text.find(length), std::string::npos);
  text.replace(text.find(length), length.size(), "<translation>0 -300 0<");
  std::ofstream(folder / "large.osim") << text;
  const std::string scene = "duration = 1\n[skeleton]\nfile = \"large.osim\"\n";
  EXPECT_NE(all_notes(parse_scene(scene, folder / "scene.toml")).find("are its lengths in metres?"),
            std::string::npos);
  EXPECT_EQ(all_notes(parse_arm("")).find("are its lengths in metres?"), std::string::npos);
}

TEST(ReadSkeleton, SaysWhatOfTheFilesHasNoEffect) {
  const std::string unused = "[skeleton.activations]\nfile = \"skeletons/lift.mot\"\n";
  EXPECT_NE(all_notes(parse_arm(unused)).find("nothing activates these muscles"),
            std::string::npos);
  const std::string region = "[[bodies.regions]]\nname = \"all\"\n";
  EXPECT_NE(all_notes(parse_arm(unused, region)).find("they have no regions: flexor"),
            std::string::npos);
  const Scene own = parse_arm(unused, region + "excitation = { times = [0], values = [1] }\n");
  EXPECT_EQ(all_notes(own).find("nothing activates"), std::string::npos);
  EXPECT_NE(all_notes(own).find("not acted upon"), std::string::npos);
  EXPECT_NE(all_notes(own).find("PathSpring skin"), std::string::npos);
}

}  // namespace
}  // namespace sinew::scene
