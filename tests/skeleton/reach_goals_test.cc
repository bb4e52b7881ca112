#include "sinew/skeleton/reach_goals.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/skeleton/pseudo_inverse.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

PoseGoals reach_for(const Skeleton& skeleton, const Vec3d& target) {
  PoseGoals goals;
  goals.points.push_back({skeleton.bodies.size() - 1, {0, 0, 0}, target, 1});
  return goals;
}

TEST(PseudoInverse, MeetsPenrosesConditionsForSingularMatricesToo) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const auto& size : {std::pair{3u, 7u}, std::pair{6u, 4u}, std::pair{5u, 5u}}) {
    const auto rows = size.first, columns = size.second;
    DenseMatrix a;
    a.assign(rows, columns, 0);
    for (double& v : a.values) v = any(random);
    for (std::size_t k = 0; k < columns; ++k) a(rows - 1, k) = a(0, k) - 2 * a(1, k);  // singular
    const PseudoInverse inverse = make_pseudo_inverse(a, 1e-10);
    const auto times = [&](const std::vector<double>& x) {
      std::vector<double> out(rows, 0);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < columns; ++k) out[i] += a(i, k) * x[k];
      return out;
    };
    std::vector<double> b(rows), x(columns);
    for (double& v : b) v = any(random);
    for (double& v : x) v = any(random);
    // A^+ A A^+ b = A^+ b, and A (1 - A^+ A) x = 0: to rounding.
    const std::vector<double> once = solve_least_squares(inverse, b, 0);
    const std::vector<double> twice = solve_least_squares(inverse, times(once), 0);
    for (std::size_t k = 0; k < columns; ++k) EXPECT_NEAR(once[k], twice[k], 1e-12);
    EXPECT_LT(largest_entry(times(project_to_null_space(inverse, x))), 1e-13);
    EXPECT_GT(largest_entry(once), 0.01);
    // b - A A^+ b is orthogonal to what A reaches.
    std::vector<double> left = times(once), image;
    for (std::size_t i = 0; i < rows; ++i) left[i] -= b[i];
    multiply_transposed(a, left, image);
    EXPECT_LT(largest_entry(image), 1e-13);
  }
}

TEST(ReachGoals, ReachesWhatIsInReach) {
  const Skeleton arm = make_space_arm();
  Kinematics wanted;
  evaluate_kinematics(arm, {0.4, -0.5, 0.8, 1.1, -0.3}, wanted);
  const PoseGoals goals = reach_for(arm, wanted.bodies.back().translation);
  const ReachSolution found = reach_goals(arm, goals, {}, rest_pose(arm), {});
  EXPECT_TRUE(found.pose.converged);
  EXPECT_LT(std::sqrt(found.pose.cost), 1e-9);
}

TEST(ReachGoals, ObeysTheSecondaryGoalAmongPosesThatReach) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2, 0.1});
  const PoseGoals goals = reach_for(chain, {0.35, 0.3, 0});
  const std::vector<CoordinateGoal> near_pose{{0, 0.3, 1}, {1, 0.2, 1}, {2, -0.4, 1}, {3, 0.9, 1}};
  const PoseSettings settings{1e-9, 500};
  const ReachSolution with = reach_goals(chain, goals, near_pose, {0.5, 0.5, 0.5, 0.5}, settings);
  const ReachSolution without = reach_goals(chain, goals, {}, {0.5, 0.5, 0.5, 0.5}, settings);
  EXPECT_TRUE(with.pose.converged);
  EXPECT_LT(std::sqrt(with.pose.cost), 1e-9);
  EXPECT_LT(with.secondary_slope, 1e-6);  // the square root of what rounding hides in the cost
  double free_cost = 0;
  for (const CoordinateGoal& goal : near_pose)
    free_cost += std::pow(without.pose.q[goal.coordinate] - goal.value, 2);
  EXPECT_LT(with.secondary, 0.9 * free_cost);
  // The goal comes first: the preferred pose itself is out of the question.
  EXPECT_GT(with.secondary, 0.01);
}

TEST(ReachGoals, SettlesAmongCoordinatesOfNarrowAndWideRanges) {
  Skeleton chain = make_planar_chain({0.3, 0.25, 0.2, 0.1, 0.1});
  for (const auto& [c, half] : {std::pair{1U, 0.05}, std::pair{2U, 0.3}, std::pair{4U, 0.02}})
    chain.coordinates[c].range = {0.1 - half, 0.1 + half};
  const ReachSolution found = reach_goals(chain, reach_for(chain, {0.5, 0.4, 0}),
                                          make_middle_goals(chain), {0.5, 0.1, 0.3, 0.4, 0.1}, {});
  EXPECT_TRUE(found.pose.converged);
  EXPECT_LT(std::sqrt(found.pose.cost), 1e-9);
  // The steps end at the accuracy of 1e-10 times the largest weight, 1/0.02^2, with room for the
  // rounding of costs.
  EXPECT_LT(found.secondary_slope, 1e-4);
}

TEST(ReachGoals, AgreesWithTheBoundedFormOfASmallSecondaryWeight) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2});
  PoseGoals goals = reach_for(chain, {0.4, 0.3, 0});
  const std::vector<CoordinateGoal> middle = make_middle_goals(chain);
  ASSERT_EQ(middle.size(), 3u);
  const ReachSolution exact = reach_goals(chain, goals, middle, {0.4, 0.5, 0.5}, {1e-10, 2000});
  constexpr double kSmall = 1e-7;  // pulls the tip from its goal by about as much
  for (CoordinateGoal goal : middle) {
    goal.weight *= kSmall;
    goals.coordinates.push_back(goal);
  }
  PoseWorkspace workspace;
  const PoseSolution weighted =
      solve_pose(chain, goals, find_free_coordinates(chain, goals), {0.4, 0.5, 0.5}, {}, workspace);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(exact.pose.q[c], weighted.q[c], 2e-5);
}

TEST(ReachGoals, EndsAtTheNearestPointOfWhatIsOutOfReach) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2});
  const ReachSolution found =
      reach_goals(chain, reach_for(chain, {1.2, 0.9, 0}), {}, {0.5, -0.7, 1.0}, {});
  EXPECT_NEAR(std::sqrt(found.pose.cost), 0.75, 1e-9);
}

TEST(ReachGoals, StaysFiniteInASingularPose) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2});
  const ReachSolution found =
      reach_goals(chain, reach_for(chain, {0.5, 0, 0}), {{1, 0.4, 1}}, {0, 0, 0}, {});
  for (const double q : found.pose.q) EXPECT_LT(std::abs(q), 10);
}

}  // namespace
}  // namespace sinew::skeleton
