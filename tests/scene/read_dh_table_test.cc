#include "sinew/scene/read_dh_table.h"

#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/scene/scene.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::scene {
namespace {

// Inches, the first axis along the world's y.
const std::string kTable =
    "scale = 0.0254\n"
    "origin = [0, 1, 0]\n"
    "rotation = { axis = [1, 0, 0], angle_deg = -90 }\n"
    "[[links]]\n"
    "name = \"shoulder\"\n"
    "theta_deg = 90\n"
    "a = 10\n"
    "range_deg = [-20, 120]\n"
    "[[links]]\n"
    "name = \"slide\"\n"
    "kind = \"prismatic\"\n"
    "d = 2\n"
    "range = [1, 4]\n"
    "[[links]]\n"
    "name = \"bend\"\n"
    "alpha_deg = 30\n"
    "frozen = true\n";

TEST(ReadDhTable, PutsBodiesWhereItsNumbersSay) {
  const skeleton::Skeleton arm = parse_dh_table(kTable, "arm.toml");
  ASSERT_EQ(arm.bodies.size(), 4U);
  EXPECT_EQ(arm.bodies[2].name, "slide");
  EXPECT_NEAR(arm.coordinates[0].rest, std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(arm.coordinates[0].range[1], std::numbers::pi * 2 / 3, 1e-15);
  EXPECT_FALSE(arm.coordinates[1].rotational);
  EXPECT_NEAR(arm.coordinates[1].range[0], 0.0254, 1e-16);
  EXPECT_TRUE(arm.coordinates[2].locked);
  skeleton::Kinematics kinematics;
  evaluate_kinematics(arm, rest_pose(arm), kinematics);
  // z of the table is the world's y; x turned by 90 degrees about it is the world's -z.
  EXPECT_LT(norm(kinematics.bodies[1].translation - Vec3d{0, 1, -0.254}), 1e-15);
  EXPECT_LT(norm(kinematics.bodies[2].translation - Vec3d{0, 1.0508, -0.254}), 1e-15);
}

TEST(ReadDhTable, MovesInAScene) {
  const std::string path = testing::TempDir() + "sinew_dh_table_test.toml";
  std::ofstream(path) << kTable;
  EXPECT_TRUE(is_dh_table(path));
  const Scene scene = parse_scene("duration = 1\n[skeleton]\nfile = \"" + path +
                                      "\"\n[[skeleton.moves]]\ncoordinate = \"shoulder\"\n"
                                      "times = [0, 1]\nangles_deg = [90, 0]\n",
                                  "test.toml");
  std::remove(path.c_str());
  ASSERT_EQ(scene.skeleton->surfaces.size(), 1U);  // a stick; slide and bend have no length
  const auto engine = make_engine(scene);
  engine->advance(1);
  // The stick's end is the next joint, along x now.
  const engine::Frame frame = engine->observe();
  EXPECT_NEAR(frame.bodies[0].surface[1].x, 0.254, 1e-6);
  EXPECT_NEAR(frame.bodies[0].surface[1].z, 0, 1e-6);
}

TEST(ReadDhTable, RefusesMistakesWithLineAndReason) {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& words) {
    std::string text = kTable;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::string message = "accepted";
    try {
      parse_dh_table(text, "bad.toml");
    } catch (const InputError& error) {
      message = error.what();
    }
    EXPECT_NE(message.find("bad.toml: " + words), std::string::npos) << message;
  };
  refused("scale = 0.0254", "scale = 0", "line 1: scale: 0 is out of range");
  refused("axis = [1, 0, 0]", "axis = [0, 0, 0]", "line 3: rotation.axis");
  refused("\"slide\"", "\"shoulder\"", "line 10: links[1].name");
  refused("theta_deg = 90", "theta = 90",
          "line 6: links[0].theta: unknown key. Allowed: name, kind");
  refused("range_deg = [-20, 120]", "range_deg = [120, -20]",
          "line 8: links[0].range_deg: must be");
  refused("range_deg = [-20, 120]", "range = [-1, 1]", "line 8: links[0].range: a revolute joint");
  refused("\"prismatic\"", "\"prism\"", "line 11: links[1].kind");
  refused("d = 2", "d = nan", "line 12: links[1].d");
  refused(kTable, "scale = 1\n", "line 1: there is no joint");
}

}  // namespace
}  // namespace sinew::scene
