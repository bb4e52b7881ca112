#include "sinew/skeleton/read_bvh.h"

#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::skeleton {
namespace {

const std::string kBvh =
    "HIERARCHY\nROOT hips\n{\n  OFFSET 0 0 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    "  JOINT knee\n  {\n    OFFSET 0 -4 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n    {\n      OFFSET 0 -3 0\n    }\n  }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.01\n"
    "0 0 0 0 0 0 0 0 0\n1 2 3 90 0 0 0 90 0\n";

TEST(ReadBvh, TurnsInTheOrderOfTheChannels) {
  const BvhFile file = parse_bvh(kBvh, "a.bvh", 0.5);
  ASSERT_EQ(file.skeleton.bodies.size(), 3U);
  ASSERT_EQ(file.skeleton.coordinates.size(), 9U);
  EXPECT_EQ(file.skeleton.coordinates[3].name, "hips_Zrotation");
  EXPECT_FALSE(file.skeleton.coordinates[0].rotational);
  ASSERT_EQ(file.skeleton.markers.size(), 1U);
  EXPECT_EQ(file.skeleton.markers[0].name, "knee_end");
  ASSERT_EQ(file.motion.times.size(), 2U);
  EXPECT_DOUBLE_EQ(file.motion.times[1], 0.01);
  EXPECT_DOUBLE_EQ(file.motion.q[1][3], std::numbers::pi / 2);
  Kinematics kinematics;
  evaluate_kinematics(file.skeleton, file.motion.q[1], kinematics);
  // The hips at (1, 2, 3)/2, turned by 90 degrees about z: the thigh's -y points along x.
  const Vec3d knee = kinematics.bodies[2].translation;
  EXPECT_NEAR(norm(knee - Vec3d{0.5 + 2, 1, 1.5}), 0, 1e-14);
  // The knee's 90 degrees about its x send -y to -z.
  const Vec3d end = apply(kinematics.bodies[2], file.skeleton.markers[0].location);
  EXPECT_NEAR(norm(end - (knee + Vec3d{0, 0, -1.5})), 0, 1e-14);
}

TEST(ReadBvh, AnglesDoNotJumpByWholeTurns) {
  std::string text = kBvh;
  const std::string from = "0 0 0 0 0 0 0 0 0\n1 2 3 90";
  text.replace(text.find(from), from.size(), "0 0 0 179 0 0 0 0 0\n1 2 3 -179");
  const Motion motion = parse_bvh(text, "a.bvh", 1).motion;
  EXPECT_NEAR(motion.q[1][3], std::numbers::pi * 181 / 180, 1e-14);
}

TEST(ReadBvh, RefusesDamagedFiles) {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& words) {
    std::string text = kBvh;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::string message;
    try {
      parse_bvh(text, "bad.bvh", 1);
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(words), std::string::npos) << "\"" << message << "\" lacks: " << words;
  };
  refused("HIERARCHY", "ANARCHY", "line 1: \"ANARCHY\" stands where HIERARCHY should");
  refused("Frames: 2", "Frames: 7", "there are 2 frames; the header promises 7");
  refused("Frames: 2", "Frames: -1", "a whole number");
  refused("0.01", "0", "the frame time is 0");
  refused("1 2 3 90", "1 2 90", "the frame has 8 numbers; the joints have 9 channels");
  refused("1 2 3 90", "1 2 nan 90", "the number nan is not allowed");
  refused("CHANNELS 3", "CHANNELS 9", "at most 6 are allowed");
  refused("Xposition", "Wposition", "\"Wposition\" stands where Xposition");
  refused("Zrotation Xrotation", "Zrotation Zrotation", "the channel Zrotation is there twice");
  refused("JOINT knee", "JOINT hips", "the joint \"hips\" is there twice");
  refused("OFFSET 0 -4 0", "OFFSET 0 four 0", "\"four\" stands where a number should");
  refused("MOTION", "MOTIONS", "ROOT, MOTION");
  std::string many;
  for (int i = 0; i < 999; ++i) many += "JOINT j" + std::to_string(i) + " { OFFSET 0 0 0 }\n";
  refused("JOINT knee", many + "JOINT knee", "there are more than 1000 joints");
  refused(kBvh.substr(kBvh.find("CHANNELS 3")), "", "the file ends where");
}

}  // namespace
}  // namespace sinew::skeleton
