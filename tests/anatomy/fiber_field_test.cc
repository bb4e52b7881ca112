#include "sinew/anatomy/fiber_field.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::anatomy {
namespace {

TEST(FiberField, ConstantFibersAreUnit) {
  const FiberField field = make_constant_fibers({0, 3, 4});
  EXPECT_EQ(field({7, 8, 9}), (Vec3d{0, 0.6, 0.8}));
  EXPECT_THROW(make_constant_fibers({0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(make_constant_fibers({0, std::nan(""), 1}), std::invalid_argument);
}

TEST(FiberField, ConvergingFibersPointToTheApex) {
  const FiberField field = make_converging_fibers({1, 0, 0});
  EXPECT_EQ(field({1, 5, 0}), (Vec3d{0, -1, 0}));
  EXPECT_EQ(field({1, 0, 0}), Vec3d{});
}

TEST(FiberField, FusiformLinesFollowTheSpindle) {
  const FusiformFibers shape = {{0.1, 0, 0}, {0.1, 0.3, 0}, 0.2};
  const FiberField field = make_fusiform_fibers(shape);
  // Walk a line from near the origin by the midpoint rule: its radius keeps to the profile.
  Vec3d x = {0.1, 0.015, 0.008};
  const double ratio = 0.008 / spindle_profile(0.05, 0.2);
  const double step = 1e-4;
  double bulge = 0;
  while (x.y < 0.285) {
    x += field(x + field(x) * (step / 2)) * step;
    bulge = std::max(bulge, x.z);
    EXPECT_NEAR(x.z, ratio * spindle_profile(x.y / 0.3, 0.2), 1e-8);  // step^2 of the rule
  }
  EXPECT_NEAR(bulge, ratio, 1e-8);
  EXPECT_GT(bulge, 3 * 0.008);
}

TEST(FiberField, FusiformLinesRunAlongTheAxisBeyondTheEnds) {
  const FiberField field = make_fusiform_fibers({{0, 0, 0}, {0, 0, 2}, 0.3});
  EXPECT_EQ(field({0.1, 0.2, -0.5}), (Vec3d{0, 0, 1}));
  EXPECT_EQ(field({0.1, 0.2, 2.5}), (Vec3d{0, 0, 1}));
  EXPECT_EQ(field({0, 0, 1.3}), (Vec3d{0, 0, 1}));
  EXPECT_THROW(make_fusiform_fibers({{0, 0, 0}, {0, 0, 0}, 0.3}), std::invalid_argument);
  EXPECT_THROW(make_fusiform_fibers({{0, 0, 0}, {0, 0, 1}, 0}), std::invalid_argument);
  EXPECT_THROW(make_fusiform_fibers({{0, 0, 0}, {0, 0, 1}, 1.5}), std::invalid_argument);
}

TEST(FiberField, PennateFibersLeanByTheAngle) {
  const double angle = 0.4;
  PennateFibers shape{{0, 0, 2}, {1, 0, 5}, angle};
  const Vec3d expected = {std::sin(angle), 0, std::cos(angle)};
  EXPECT_LT(norm(make_pennate_fibers(shape)({-3, 0, 0}) - expected), 1e-15);
  shape.two_sided = true;
  shape.center = {1, 0, 0};
  EXPECT_LT(norm(make_pennate_fibers(shape)({2, 0, 0}) - expected), 1e-15);
  EXPECT_LT(norm(make_pennate_fibers(shape)({0, 0, 0}) - Vec3d{-expected.x, 0, expected.z}), 1e-15);
  shape.angle = std::numbers::pi / 2;
  EXPECT_THROW(make_pennate_fibers(shape), std::invalid_argument);
  shape = {{0, 0, 1}, {0, 0, 3}, angle};
  EXPECT_THROW(make_pennate_fibers(shape), std::invalid_argument);
}

TEST(FiberField, NeedsASolid) {
  EXPECT_THROW(make_solid_fibers(nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::anatomy
