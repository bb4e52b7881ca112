#include "sinew/mesh/shape.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/mesh/surface_distance.h"

#include "mesh/test_surfaces.h"

namespace sinew::mesh {
namespace {

Mat3d tilt() {
  // Columns of a right-handed orthonormal frame.
  const Vec3d a = normalized(Vec3d{1, 2, 2});
  const Vec3d b = normalized(Vec3d{2, 1, -2});
  return {{a, b, cross(a, b)}};
}

Shape combine(bool is_union, std::vector<Shape> parts) {
  auto shared = std::make_shared<const std::vector<Shape>>(std::move(parts));
  if (is_union) return {Union{shared}};
  return {Difference{shared}};
}

std::vector<Shape> primitives() {
  return {{Sphere{{0.1, 0.2, 0.3}, 0.5}},
          {Box{{0.1, 0, -0.1}, {0.6, 1.0, 0.4}, tilt()}},
          {Capsule{{-0.3, 0, 0}, {0.4, 0.2, 0.1}, 0.25}},
          {Torus{{0, 0.1, 0}, normalized(Vec3d{1, 3, 1}), 0.6, 0.2}},
          {HalfSpace{{0, 0.1, 0}, normalized(Vec3d{1, 2, -1})}},
          {ClosedMesh{std::make_shared<SurfaceDistance>(make_box_surface({0.7, 0.8, 0.9}))}}};
}

Vec3d random_point(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> c(-reach, reach);
  return {c(random), c(random), c(random)};
}

TEST(Shape, NormalIsTheDerivativeOfTheDistance) {
  std::mt19937 random(1);
  for (const Shape& shape : primitives()) {
    SCOPED_TRACE(shape.form.index());
    int smooth = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3d x = random_point(random, 1.2);
      const Vec3d n = sample_distance(shape, x).normal;
      ASSERT_NEAR(norm(n), 1, 1e-14);
      const double h = 1e-5;
      Vec3d slope;
      for (std::size_t k = 0; k < 3; ++k) {
        Vec3d up = x;
        Vec3d down = x;
        up[k] += h;
        down[k] -= h;
        slope[k] = (signed_distance(shape, up) - signed_distance(shape, down)) / (2 * h);
      }
      // Central differences err by h^2 times the third derivative; only a kink (a medial plane
      // within h of x) errs more, and there the slope is shorter than one.
      if (norm(slope) < 1 - 1e-6) continue;
      EXPECT_NEAR(norm(slope - n), 0, 1e-6);
      ++smooth;
    }
    EXPECT_GT(smooth, 490);
  }
}

TEST(Shape, DistanceLeadsToTheSurface) {
  std::mt19937 random(2);
  for (const Shape& shape : primitives()) {
    SCOPED_TRACE(shape.form.index());
    for (int i = 0; i < 500; ++i) {
      const Vec3d x = random_point(random, 1.5);
      const DistanceSample s = sample_distance(shape, x);
      EXPECT_NEAR(signed_distance(shape, x - s.distance * s.normal), 0, 1e-14);
    }
  }
}

TEST(Shape, HasUnitNormalsAtCentresAndOnAxes) {
  const Vec3d axis = normalized(Vec3d{1, 3, 1});
  const Torus torus{{0, 0.1, 0}, axis, 0.6, 0.2};
  const Capsule capsule{{-0.3, 0, 0}, {0.4, 0, 0}, 0.25};
  const double denormal = 1e-310;
  const std::vector<std::pair<Shape, Vec3d>> cases = {
      {{Sphere{{0, 0, 0}, 1}}, {0, 0, 0}},
      {{Sphere{{0, 0, 0}, 1}}, {denormal, 0, denormal}},
      {{Box{{0, 0, 0}, {1, 1, 1}}}, {0, 0, 0}},
      {{Box{{0, 0, 0}, {1, 1, 1}}}, {0.5, 0.5, 0.5}},
      {{capsule}, capsule.start},
      {{capsule}, capsule.end},
      {{capsule}, {0, 0, 0}},
      {{Capsule{{1, 1, 1}, {1, 1, 1}, 0.5}}, {1, 1, 1}},
      {{torus}, torus.center},
      {{torus}, torus.center + 0.4 * axis},
      {{torus}, torus.center + 0.6 * normalized(cross(axis, Vec3d{0, 0, 1}))}};
  for (const auto& [shape, x] : cases) {
    const DistanceSample s = sample_distance(shape, x);
    EXPECT_NEAR(norm(s.normal), 1, 1e-15);
    EXPECT_TRUE(std::isfinite(s.distance));
  }
}

TEST(Shape, PrimitivesHaveTheirKnownDistances) {
  const Torus torus{{0, 0, 0}, {0, 1, 0}, 1, 0.25};
  EXPECT_DOUBLE_EQ(signed_distance({torus}, {0, 0, 0}), 0.75);
  EXPECT_DOUBLE_EQ(signed_distance({torus}, {1, 0, 0}), -0.25);
  EXPECT_DOUBLE_EQ(signed_distance({torus}, {0, 1, 1}), 0.75);
  const Box box{{0, 0, 0}, {2, 4, 6}};
  EXPECT_DOUBLE_EQ(signed_distance({box}, {0, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(signed_distance({box}, {4, 6, 3}), 5);
  const Capsule capsule{{0, 0, 0}, {0, 2, 0}, 0.5};
  EXPECT_DOUBLE_EQ(signed_distance({capsule}, {2, 1, 0}), 1.5);
  EXPECT_DOUBLE_EQ(signed_distance({capsule}, {0, 4, 0}), 1.5);
}

TEST(Shape, AMeshOfABoxIsThatBox) {
  const Shape mesh = {ClosedMesh{std::make_shared<SurfaceDistance>(make_box_surface({1, 2, 3}))}};
  const Shape box = {Box{{0, 0, 0}, {1, 2, 3}}};
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    const Vec3d x = random_point(random, 2.5);
    ASSERT_NEAR(signed_distance(mesh, x), signed_distance(box, x), 1e-14);
  }
}

TEST(Shape, UnionAndDifferenceFollowTheDecidingPart) {
  const Shape left = {Sphere{{-0.4, 0, 0}, 0.6}};
  const Shape right = {Sphere{{0.4, 0, 0}, 0.5}};
  std::mt19937 random(6);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d x = random_point(random, 1.5);
    const double a = signed_distance(left, x);
    const double b = signed_distance(right, x);
    const DistanceSample both = sample_distance(combine(true, {left, right}), x);
    EXPECT_EQ(both.distance, std::min(a, b));
    const DistanceSample cut = sample_distance(combine(false, {left, right}), x);
    EXPECT_EQ(cut.distance, std::max(a, -b));
    const Vec3d n = sample_distance(right, x).normal;
    EXPECT_EQ(cut.normal, a >= -b ? sample_distance(left, x).normal : -n);
  }
}

TEST(Shape, BoundsHoldTheSolidTightly) {
  std::mt19937 random(8);
  for (const Shape& shape : primitives()) {
    if (!is_bounded(shape)) continue;
    SCOPED_TRACE(shape.form.index());
    const Bounds bounds = compute_bounds(shape);
    Bounds seen{bounds.high, bounds.low};
    for (int i = 0; i < 4000; ++i) {
      // Points on the surface, by two steps along the distance.
      Vec3d x = random_point(random, 1.5);
      for (int k = 0; k < 2; ++k) {
        const DistanceSample s = sample_distance(shape, x);
        x -= s.distance * s.normal;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_GE(x[k], bounds.low[k] - 1e-14);
        EXPECT_LE(x[k], bounds.high[k] + 1e-14);
        seen.low[k] = std::min(seen.low[k], x[k]);
        seen.high[k] = std::max(seen.high[k], x[k]);
      }
    }
    // 4000 samples of a surface of about 3 m^2 come near every extreme point.
    EXPECT_LT(norm(seen.low - bounds.low), 0.05);
    EXPECT_LT(norm(seen.high - bounds.high), 0.05);
  }
}

TEST(Shape, KnowsWhetherItIsBounded) {
  const Shape ball = {Sphere{{0, 0, 0}, 1}};
  const Shape floor = {HalfSpace{{0, 0, 0}, {0, 1, 0}}};
  EXPECT_FALSE(is_bounded(floor));
  EXPECT_THROW(compute_bounds(floor), std::logic_error);
  EXPECT_FALSE(is_bounded(combine(true, {ball, floor})));
  EXPECT_TRUE(is_bounded(combine(false, {ball, floor})));
  EXPECT_FALSE(is_bounded(combine(false, {floor, ball})));
  const Bounds bounds = compute_bounds(combine(false, {ball, floor}));
  EXPECT_EQ(bounds.low, (Vec3d{-1, -1, -1}));
  EXPECT_EQ(compute_bounds(combine(true, {ball, {Sphere{{3, 0, 0}, 1}}})).high, (Vec3d{4, 1, 1}));
}

}  // namespace
}  // namespace sinew::mesh
