#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/record/recording_layout.h"
#include "sinew/scene/scene.h"

namespace sinew::scene {
namespace {

const std::string kHeldBall =
    "engine = \"eulerian\"\nduration = 0.1\n"
    "[[grids]]\nname = \"g\"\nlow = [-0.1, -0.1, -0.1]\nspacing = 0.02\ncells = [10, 10, 10]\n"
    "[[bodies]]\nname = \"ball\"\nshape = { type = \"sphere\", center = [0, 0, 0], radius = 0.035 "
    "}\n"
    "material = { shear_modulus = 1e4 }\n"
    "[[bodies.attachments]]\nname = \"top\"\n"
    "shape = { type = \"plane\", point = [0, 0.005, 0], normal = [0, -1, 0] }\n";

TEST(ReadEulerian, MeasuresAreThoseThatARecordingTakes) {
  const auto engine = make_engine(parse_scene(kHeldBall, "ball.toml"));
  const engine::Frame start = engine->observe();
  engine->advance(0.004);
  const engine::Frame frame = engine->observe();
  ASSERT_EQ(frame.certificate.size(), start.certificate.size());
  double pull = 0;
  for (std::size_t i = 0; i < frame.certificate.size(); ++i) {
    EXPECT_TRUE(record::layout::is_measure_name(frame.certificate[i].name));
    EXPECT_EQ(frame.certificate[i].name, start.certificate[i].name);
    if (frame.certificate[i].name == "force_y.ball.top") pull = frame.certificate[i].value;
  }
  EXPECT_LT(pull, 0);  // it hangs
}

TEST(ReadEulerian, AnActiveShapeMayBeAFactorAlongAnAxis) {
  std::string text = kHeldBall;
  const std::string after = "material = { shear_modulus = 1e4 }\n";
  text.insert(text.find(after) + after.size(),
              "active_shape = { type = \"uniform\", point = [0, 0.01, 0], axis = [0, 1, 0], "
              "stretch = 0.64 }\nactivation = { times = [0, 1], values = [0, 1] }\n");
  const Scene scene = parse_scene(text, "ball.toml");
  const auto& map = scene.eulerian.value().bodies.at(0).active_map;
  ASSERT_TRUE(map);
  // Across the axis 1/sqrt(0.64), so that the volume stays.
  const Vec3d there = map({0.008, -0.01, 0});
  EXPECT_NEAR(there.x, 0.01, 1e-9);
  EXPECT_NEAR(there.y, 0.01 - 0.64 * 0.02, 1e-9);
  EXPECT_NEAR(there.z, 0, 1e-9);
}

TEST(ReadEulerian, ALayerIsHollowAndShowsItsSkinOnly) {
  const auto layer = [](const std::string& shape) {
    return kHeldBall + "[[bodies]]\nname = \"fat\"\nshape = { type = \"soft-tissue\", " + shape +
           " }\nmaterial = { shear_modulus = 1e3 }\n";
  };
  const Scene scene =
      parse_scene(layer("around = [\"ball\"], thickness = 0.02, parts = [{ type = \"sphere\", "
                        "center = [0, 0, 0.02], radius = 0.02 }]")
                      .replace(kHeldBall.find("[-0.1, -0.1, -0.1]"), 18, "[-0.2, -0.2, -0.2]")
                      .replace(kHeldBall.find("[10, 10, 10]"), 12, "[20, 20, 20]"),
                  "layer.toml");
  const mesh::Shape& shape = scene.eulerian.value().bodies.at(1).shape;
  EXPECT_GT(mesh::signed_distance(shape, {0, 0, 0}), 0) << "in the ball";
  EXPECT_GT(mesh::signed_distance(shape, {0, 0, 0.038}), 0) << "in the part";
  EXPECT_LT(mesh::signed_distance(shape, {0, 0.045, 0}), 0);
  // The skin, 2 cm out; where the two are as near to each other, rounding adds at most 1 cm.
  EXPECT_LT(mesh::signed_distance(shape, {0, -0.054, 0}), 0);
  EXPECT_GT(mesh::signed_distance(shape, {0, -0.066, 0}), 0);
  const auto engine = make_engine(scene);
  const std::vector<engine::BodyTopology> bodies = engine->topology();
  // The inner wall, 35 mm from the middle, is left out; the skin is no nearer than 55 mm.
  for (const Vec3f& x : bodies.at(1).rest_surface) EXPECT_GT(norm(x), 0.05);
  EXPECT_FALSE(bodies[1].rest_surface.empty());
  try {
    parse_scene(layer("around = [\"bal\"], thickness = 0.02"), "layer.toml");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"ball\"?"), std::string::npos)
        << error.what();
  }
}

TEST(ReadEulerian, RefusesAnAttachmentThatHoldsNothing) {
  std::string text = kHeldBall;
  const std::string place = "point = [0, 0.005, 0]";
  text.replace(text.find(place), place.size(), "point = [0, 0.08, 0]");
  try {
    make_engine(parse_scene(text, "ball.toml"));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("attachment \"top\" holds nothing of body \"ball\""),
              std::string::npos)
        << error.what();
  }
}

TEST(ReadEulerian, RefusesAPairOfShapesThatDoNotMeet) {
  std::string text = kHeldBall;
  const std::string after = "material = { shear_modulus = 1e4 }\n";
  // One ball cannot become two.
  text.insert(
      text.find(after) + after.size(),
      "active_shape = { type = \"union\", parts = [{ type = \"sphere\", center = [0.06, 0, "
      "0], radius = 0.015 }, { type = \"sphere\", center = [-0.06, 0, 0], radius = 0.015 }] "
      "}\nactivation = { times = [0, 1], values = [0, 1] }\n");
  try {
    parse_scene(text, "ball.toml");
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("line 12: bodies[0].active_shape: the body's shape could not be brought"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sinew::scene
