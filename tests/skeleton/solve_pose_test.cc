#include "sinew/skeleton/solve_pose.h"

#include <cmath>

#include <gtest/gtest.h>

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

PoseGoals reach_for(const Skeleton& skeleton, const Vec3d& target) {
  PoseGoals goals;
  goals.points.push_back({skeleton.bodies.size() - 1, {0, 0, 0}, target, 1});
  return goals;
}

Vec3d tip(const Skeleton& skeleton, const std::vector<double>& q) {
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  return kinematics.bodies.back().translation;
}

PoseSolution solve(const Skeleton& skeleton, const PoseGoals& goals,
                   const std::vector<double>& start) {
  PoseWorkspace workspace;
  return solve_pose(skeleton, goals, find_free_coordinates(skeleton, goals), start, {}, workspace);
}

TEST(SolvePose, ReachesWhatIsInReach) {
  const Skeleton arm = make_space_arm();
  const std::vector<double> wanted{0.4, -0.5, 0.8, 1.1, -0.3};
  const Vec3d target = tip(arm, wanted);
  const PoseSolution found = solve(arm, reach_for(arm, target), rest_pose(arm));
  EXPECT_TRUE(found.converged);
  EXPECT_LT(norm(tip(arm, found.q) - target), 1e-9);
}

TEST(SolvePose, EndsAtTheNearestPointOfWhatIsOutOfReach) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2});
  const PoseSolution found = solve(chain, reach_for(chain, {1.2, 0.9, 0}), {0.5, -0.7, 1.0});
  EXPECT_TRUE(found.converged);
  // Stretched towards (0.8, 0.6): distance 1.5 less 0.75.
  EXPECT_NEAR(std::sqrt(found.cost), 0.75, 1e-9);
  EXPECT_LT(norm(tip(chain, found.q) - Vec3d{0.6, 0.45, 0}), 1e-5);
}

TEST(SolvePose, LeavesASingularPoseWithoutJumping) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2});
  // Stretched, and the goal lies straight behind the tip: no joint helps to first order.
  const std::vector<double> straight{0, 0, 0};
  const PoseSolution stuck = solve(chain, reach_for(chain, {0.5, 0, 0}), straight);
  for (const double q : stuck.q) EXPECT_TRUE(std::isfinite(q));
  PoseWorkspace workspace;
  const PoseGoals goals = reach_for(chain, {0.5, 0, 0});
  const PoseSolution found = solve_pose_from_starts(
      chain, goals, find_free_coordinates(chain, goals), straight, 8, {}, workspace);
  EXPECT_LT(std::sqrt(found.cost), 1e-9);
}

TEST(SolvePose, KeepsRangesAndIsAtALeastValueThere) {
  Skeleton chain = make_planar_chain({0.3, 0.3});
  chain.coordinates[1].range = {0, 0.5};  // the elbow hardly bends
  const PoseSolution found = solve(chain, reach_for(chain, {0.2, 0.1, 0}), {0, 0.2});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.q[1], 0.5);
  // The shoulder turns the tip into the direction of the goal; the rest of the distance stays.
  const Vec3d end = tip(chain, found.q);
  // Gauss-Newton steps shrink by a factor only where distances stay: some times the accuracy.
  EXPECT_NEAR(end.y / end.x, 0.5, 1e-8);
}

TEST(SolvePose, ClosesALoopOfPointConstraints) {
  Skeleton chain = make_planar_chain({0.3, 0.25, 0.2, 0.3});
  chain.constraints.push_back({"hinge", {4, kGround}, {Vec3d{0, 0, 0}, Vec3d{0.35, 0.1, 0}}});
  PoseGoals goals;
  goals.points.push_back({2, {0, 0, 0}, {0.1, 0.6, 0}, 1});  // pulls against the loop
  const PoseSolution found = solve(chain, goals, {1.0, 0.3, -1.0, -1.0});
  EXPECT_TRUE(found.converged);
  EXPECT_LT(found.largest_gap, 1e-9);
  EXPECT_GT(found.cost, 1e-4);  // the goal is out of reach: multipliers are at work
  // At the best pose no motion that keeps the loop helps: compare with poses nearby on it.
  const PoseGoals nearer{
      {goals.points[0], {4, {0, 0, 0}, {0.35, 0.1, 0}, 1e6}}, {}, {{0, found.q[0] + 0.01, 1e6}}};
  const PoseSolution beside = solve(chain, nearer, found.q);
  PoseRows rows;
  compute_residuals(chain, goals, beside.q, rows);
  EXPECT_GT(sum_of_squares(rows.residuals), found.cost);
}

TEST(SolvePose, SaysWhenALoopCannotClose) {
  Skeleton chain = make_planar_chain({0.3, 0.25});
  chain.constraints.push_back({"far", {2, kGround}, {Vec3d{0, 0, 0}, Vec3d{2, 0, 0}}});
  const PoseSolution found = solve(chain, reach_for(chain, {0.2, 0.2, 0}), {0.1, 0.1});
  EXPECT_FALSE(found.converged);
  EXPECT_GT(found.largest_gap, 1.4);
  for (const double q : found.q) EXPECT_TRUE(std::isfinite(q));
}

TEST(SolvePose, TurnsABodyIntoADirection) {
  const Skeleton body = make_floating_body();
  PoseGoals goals;
  goals.directions.push_back({1, {0, 0, 1}, normalized(Vec3d{1, 2, -0.5}), 1});
  goals.points.push_back({1, {0.1, 0, 0}, {1, 2, 3}, 1});
  const PoseSolution found = solve(body, goals, rest_pose(body));
  Kinematics kinematics;
  evaluate_kinematics(body, found.q, kinematics);
  EXPECT_LT(norm(kinematics.bodies[1].rotation.col(2) - goals.directions[0].target), 1e-9);
  EXPECT_LT(norm(apply(kinematics.bodies[1], {0.1, 0, 0}) - Vec3d{1, 2, 3}), 1e-9);
}

}  // namespace
}  // namespace sinew::skeleton
