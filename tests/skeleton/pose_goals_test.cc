#include "sinew/skeleton/pose_goals.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

Function make_parabola(double a, double b, double c) {
  Function f;
  f.kind = Function::Kind::kPolynomial;
  f.coefficients = {a, b, c};
  return f;
}

// The arm with a wrist that follows the elbow, and a point held at a place of the ground.
Skeleton make_coupled_arm() {
  Skeleton arm = make_space_arm();
  arm.coordinates[4].coupler = Coupler{3, make_parabola(0.1, 0.5, -0.3)};
  arm.constraints.push_back({"hold", {4, kGround}, {Vec3d{0.01, 0.02, 0}, Vec3d{0.3, 0.2, 0.1}}});
  return arm;
}

PoseGoals make_goals() {
  PoseGoals goals;
  goals.points.push_back({5, {0.03, 0.01, -0.02}, {0.4, 0.1, 0.2}, 2});
  goals.points.push_back({3, {0, 0.05, 0}, {0.1, 0.2, 0.1}, 0.5});
  goals.directions.push_back({5, {0, 1, 0}, {0, 0, 1}, 0.3});
  goals.coordinates.push_back({4, 0.2, 1.5});  // a coupled one
  return goals;
}

TEST(PoseGoals, HaveTheDerivativesThatDifferencesGive) {
  const Skeleton arm = make_coupled_arm();
  const PoseGoals goals = make_goals();
  const FreeCoordinates free = find_free_coordinates(arm, goals);
  ASSERT_EQ(free.indices.size(), 4u);  // the coupled one is not free
  std::vector<double> q{0.2, -0.4, 0.7, 0.9, 0};
  apply_couplers(arm, q);
  PoseRows rows, above, below;
  compute_residuals(arm, goals, q, rows);
  compute_jacobians(arm, goals, free, q, rows);
  const double h = 1e-5;  // errors of h^2 and of rounding over h
  double largest_slope = 0;
  for (std::size_t k = 0; k < free.indices.size(); ++k) {
    std::vector<double> more = q, less = q;
    more[free.indices[k]] += h;
    less[free.indices[k]] -= h;
    apply_couplers(arm, more);
    apply_couplers(arm, less);
    compute_residuals(arm, goals, more, above);
    compute_residuals(arm, goals, less, below);
    for (std::size_t r = 0; r < rows.residuals.size(); ++r) {
      const double slope = (above.residuals[r] - below.residuals[r]) / (2 * h);
      EXPECT_NEAR(rows.jacobian(r, k), slope, 1e-9) << "row " << r << ", column " << k;
      largest_slope = std::max(largest_slope, std::abs(slope));
    }
    for (std::size_t r = 0; r < rows.gaps.size(); ++r) {
      const double slope = (above.gaps[r] - below.gaps[r]) / (2 * h);
      EXPECT_NEAR(rows.gap_jacobian(r, k), slope, 1e-9);
    }
  }
  EXPECT_GT(largest_slope, 0.1);
}

TEST(PoseGoals, FreeOnlyWhatMovesAGoal) {
  Skeleton arm = make_space_arm();
  PoseGoals goals;
  goals.points.push_back({3, {0, 0, 0}, {0, 0, 0}, 1});
  arm.coordinates[1].locked = true;
  const FreeCoordinates free = find_free_coordinates(arm, goals);
  EXPECT_EQ(free.indices, (std::vector<std::size_t>{0, 2}));  // 3 and 4 lie beyond, 1 is locked
  EXPECT_EQ(free.driver[1], kNone);
  EXPECT_EQ(free.low[1], -2);
  EXPECT_TRUE(std::isinf(free.low[0]));
}

}  // namespace
}  // namespace sinew::skeleton
