#include "sinew/scene/starting_overlaps.h"

#include <memory>

#include <gtest/gtest.h>

namespace sinew::scene {
namespace {

constexpr const char* kTetBody =
    "resolution = 0.02\n"
    "material = { law = \"corotated\", young_modulus = 1e5, poisson_ratio = 0.3, density = 1000 "
    "}\n";
constexpr const char* kBrickBody =
    "bricks = [2, 2, 2]\n"
    "material = { law = \"neo-hookean\", young_modulus = 1e5, poisson_ratio = 0.3, density = 1000 "
    "}\n";
constexpr const char* kGridBody = "material = { shear_modulus = 1e4 }\n";

std::string ball(const char* name, double up, const char* rest) {
  return std::string("[[bodies]]\nname = \"") + name +
         "\"\nshape = { type = \"sphere\", center = [0, " + std::to_string(up) +
         ", 0], radius = 0.1 }\n" + rest;
}

std::string floor_at(double height) {
  return "[[colliders]]\nname = \"floor\"\nshape = { type = \"plane\", point = [0, " +
         std::to_string(height) + ", 0] }\n";
}

std::vector<Overlap> find(const std::string& text) {
  const Scene scene = parse_scene("duration = 1\n" + text, "x.toml");
  return find_starting_overlaps(scene, make_engine(scene)->topology());
}

// 3 cm of a ball are below the floor; surfaces are known to some millimetres.
constexpr double kDepth = 0.03, kTolerance = 0.004;

TEST(StartingOverlaps, NamesABodyInAColliderWithItsDepth) {
  for (const std::string& text :
       {ball("ball", 0.07, kTetBody), "engine = \"brick\"\n" + ball("ball", 0.07, kBrickBody),
        "engine = \"eulerian\"\n" + ball("ball", 0.07, kGridBody) +
            "[[grids]]\nname = \"g\"\nlow = [-0.2, -0.13, -0.2]\nspacing = 0.02\n"
            "cells = [20, 20, 20]\n"}) {
    SCOPED_TRACE(text);
    const std::vector<Overlap> overlaps = find(text + floor_at(0));
    ASSERT_EQ(overlaps.size(), 1u);
    EXPECT_EQ(overlaps[0].body, "ball");
    EXPECT_EQ(overlaps[0].other, "floor");
    EXPECT_TRUE(overlaps[0].other_is_collider);
    EXPECT_NEAR(overlaps[0].depth, kDepth, kTolerance);
  }
}

TEST(StartingOverlaps, LeavesABodyAloneThatRestsOnItsFloor) {
  EXPECT_TRUE(find(ball("ball", 0.1, kTetBody) + floor_at(0)).empty());
  EXPECT_TRUE(find(ball("ball", 0.3, kTetBody) + floor_at(0)).empty());
}

TEST(StartingOverlaps, FindsAColliderThatTouchesNoVertex) {
  const std::vector<Overlap> overlaps =
      find(ball("ball", 0, kTetBody) +
           "[[colliders]]\nname = \"shot\"\n"
           "shape = { type = \"sphere\", center = [0, 0, 0], radius = 0.03 }\n");
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].other, "shot");
  EXPECT_GT(overlaps[0].depth, 0.01);
}

TEST(StartingOverlaps, FollowsAColliderToWhereItBegins) {
  const std::string lifted =
      ball("ball", 0.07, kTetBody) + floor_at(0) +
      "travel = [0, -1, 0]\nmotion = { times = [0, 1], values = [0.2, 1] }\n";
  EXPECT_TRUE(find(lifted).empty());
}

TEST(StartingOverlaps, NamesTwoBodiesThatAreInEachOther) {
  const std::vector<Overlap> overlaps =
      find(ball("low", 0, kTetBody) + ball("high", 0.17, kTetBody) + ball("far", 1, kTetBody));
  ASSERT_EQ(overlaps.size(), 1u);
  EXPECT_EQ(overlaps[0].body, "low");
  EXPECT_EQ(overlaps[0].other, "high");
  EXPECT_FALSE(overlaps[0].other_is_collider);
  EXPECT_NEAR(overlaps[0].depth, kDepth, kTolerance);
}

}  // namespace
}  // namespace sinew::scene
