#include "sinew/brick/free_form.h"

#include <random>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"

namespace sinew::brick {
namespace {

// Bricks along a bent and twisted bar: strongly curved, without folds.
BrickMesh make_bent_bar() {
  return make_mapped_mesh({4, 2, 2}, true, [](const Vec3d& p) {
    const double angle = 1.2 * p.x;
    const double r = 2 + 0.6 * p.y;
    return Vec3d{r * std::sin(angle), r * std::cos(angle), 0.6 * p.z + 0.2 * p.x * p.y};
  });
}

Vec3d random_xi(std::mt19937& random, double limit = 1) {
  std::uniform_real_distribution<double> in(-limit, limit);
  const double r = in(random), s = in(random), t = in(random);
  return {r, s, t};
}

std::vector<Vec3d> random_points(const BrickMesh& mesh, std::size_t count) {
  std::mt19937 random(5);
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < count; ++i) {
    const BrickIndices& brick = mesh.bricks[random() % mesh.bricks.size()];
    const ShapeValues shape = compute_shape(nodes_of(brick), random_xi(random));
    points.push_back(map_point(brick, mesh.rest_positions, shape).position);
  }
  return points;
}

std::vector<Vec3d> deform(const BrickMesh& mesh) {
  std::vector<Vec3d> positions;
  for (const Vec3d& x : mesh.rest_positions) {
    positions.push_back(
        {1.1 * x.x + 0.2 * x.y * x.z, x.y - 0.3 * x.x * x.x, 0.9 * x.z + 0.1 * x.y});
  }
  return positions;
}

TEST(Polynomial, IsTheMapOfTheShapeFunctionsForEightToTwentyNodes) {
  const BrickMesh mesh = make_bent_bar();
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    BrickIndices brick = mesh.bricks[random() % mesh.bricks.size()];
    for (std::size_t n = 8; n < kBrickNodes; ++n) {
      if (trial % 2 == 1 && random() % 2 == 0) brick[n] = kNoNode;
    }
    const Vec3d xi = random_xi(random, 1.3);
    const MappedPoint plain =
        map_point(brick, mesh.rest_positions, compute_shape(nodes_of(brick), xi));
    const MappedPoint fast = evaluate(make_polynomial(brick, mesh.rest_positions), xi);
    EXPECT_LT(norm(plain.position - fast.position), 1e-13);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_LT(norm(plain.jacobian.col(j) - fast.jacobian.col(j)), 1e-13);
    }
  }
}

TEST(Polynomial, BoxesHoldTheirElements) {
  const BrickMesh mesh = make_bent_bar();
  std::mt19937 random(4);
  for (const BrickIndices& brick : mesh.bricks) {
    const Polynomial p = make_polynomial(brick, mesh.rest_positions);
    const ElementBox box = compute_box(p);
    for (int trial = 0; trial < 100; ++trial) {
      const Vec3d x = evaluate(p, random_xi(random)).position;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GE(x[i], box.low[i] - 1e-12);
        EXPECT_LE(x[i], box.high[i] + 1e-12);
      }
    }
  }
}

TEST(FreeForm, FindsEveryPointInside) {
  const BrickMesh mesh = make_bent_bar();
  ASSERT_EQ(check_mesh(mesh), "");
  const std::vector<Vec3d> points = random_points(mesh, 5000);
  const FreeForm form(mesh, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_TRUE(form.points()[i].inside) << i;
    EXPECT_LT(norm(form.evaluate(mesh.rest_positions, i) - points[i]), 1e-11) << i;
  }
}

// An element so crooked that Newton from its middle goes astray for a part of its points.
TEST(FreeForm, FindsPointsInAnElementThatIsNearlyFolded) {
  BrickMesh mesh = make_box_mesh({-1, -1, -1}, {1, 1, 1}, {1, 1, 1}, false);
  mesh.rest_positions[mesh.bricks[0][6]] = {0.36, 0.34, 0.36};
  ASSERT_GT(compute_quality(mesh.bricks[0], mesh.rest_positions), 0) << "not folded";
  const std::vector<Vec3d> points = random_points(mesh, 3000);
  const FreeForm form(mesh, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(form.points()[i].inside) << i;
    ASSERT_LT(norm(form.evaluate(mesh.rest_positions, i) - points[i]), 1e-10) << i;
  }
}

TEST(FreeForm, LanesAgreeWithTheReferenceForEverySetAndLength) {
  const BrickMesh mesh = make_bent_bar();
  const std::vector<Vec3d> positions = deform(mesh);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 33U, 700U}) {
    const FreeForm form(mesh, random_points(mesh, count));
    for (const InstructionSet set :
         {InstructionSet::kSse2, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
      const InstructionSetLimit limit(set);
      std::vector<Vec3f> fast(count, Vec3f{1e9F, 1e9F, 1e9F});
      form.evaluate(positions, fast);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3d exact = form.evaluate(positions, i);
        EXPECT_GT(norm(exact), 0.1);
        for (std::size_t c = 0; c < 3; ++c) {  // single precision of sums near 10
          EXPECT_NEAR(static_cast<double>(fast[i][c]), exact[c], 2e-5) << name_of(set) << " " << i;
        }
      }
    }
  }
}

TEST(FreeForm, PointsOutsideGoWithTheNearestElement) {
  const BrickMesh mesh = make_box_mesh({0, 0, 0}, {2, 1, 1}, {2, 1, 1});
  const std::vector<Vec3d> points = {{2.1, 0.5, 0.5}, {-0.05, 1.02, 0.5}, {1.5, 0.5, -0.1}};
  const FreeForm form(mesh, points);
  std::vector<Vec3d> moved = mesh.rest_positions;
  const Mat3d stretch{{{{1.2, 0.1, 0}, {0, 0.9, 0}, {0.05, 0, 1.1}}}};
  for (Vec3d& x : moved) x = stretch * x + Vec3d{1, 2, 3};
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_FALSE(form.points()[i].inside);
    EXPECT_LT(norm(form.evaluate(moved, i) - (stretch * points[i] + Vec3d{1, 2, 3})), 1e-12);
  }
  EXPECT_EQ(form.points()[0].brick, 1U);
  for (const float ratio : form.compute_volume_ratios(moved)) {
    EXPECT_NEAR(static_cast<double>(ratio), determinant(stretch), 1e-6);
  }
}

TEST(FreeForm, ThreadsChangeNoBit) {
  const BrickMesh mesh = make_bent_bar();
  const std::vector<Vec3d> points = random_points(mesh, 4000);
  const std::vector<Vec3d> positions = deform(mesh);
  std::vector<Vec3f> two(points.size()), one(points.size());
  FreeForm(mesh, points).evaluate(positions, two);
  const ThreadLimit limit(1);
  FreeForm(mesh, points).evaluate(positions, one);
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace sinew::brick
