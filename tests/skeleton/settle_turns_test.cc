#include "sinew/skeleton/settle_turns.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "skeleton/chains.h"
#include "skeleton/walker.h"

namespace sinew::skeleton {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

PoseGoals reach(const Skeleton& skeleton) {
  PoseGoals goals;
  for (std::size_t b = 1; b < skeleton.bodies.size(); ++b)
    goals.points.push_back({b, {0.1, 0.1, 0.1}, {0, 0, 0}, 1});
  return goals;
}

std::vector<double> settled(const Skeleton& skeleton, std::vector<double> q, bool in_ranges,
                            const PoseGoals& goals) {
  TurnWorkspace workspace;
  const FreeCoordinates free = find_free_coordinates(skeleton, goals);
  apply_couplers(skeleton, q);
  const std::vector<double> near = rest_pose(skeleton);
  if (in_ranges)
    settle_in_ranges(skeleton, goals, free, near, q, workspace);
  else
    settle_near(skeleton, goals, free, near, q, workspace);
  return q;
}

// A pin with markers; its range is 10 to 300 degrees.
Skeleton make_door() {
  Skeleton out = make_planar_chain({0.5});
  out.coordinates[0].range = {10 * kDegree, 300 * kDegree};
  out.coordinates[0].clamped = false;
  return out;
}

TEST(SettleTurns, TakesAngleBackByWholeTurns) {
  const Skeleton door = make_door();
  const PoseGoals goals = reach(door);
  EXPECT_NEAR(settled(door, {0.4 - 3 * kTurn}, false, goals)[0], 0.4, 1e-9);
  EXPECT_NEAR(settled(door, {0.4 - 3 * kTurn}, true, goals)[0], 0.4, 1e-9);
  // 280 degrees are -80: the nearest to 0, but not in the range.
  EXPECT_NEAR(settled(door, {280 * kDegree + kTurn}, false, goals)[0], -80 * kDegree, 1e-9);
  EXPECT_NEAR(settled(door, {280 * kDegree + kTurn}, true, goals)[0], 280 * kDegree, 1e-9);
  // Beyond the range on either side, less on this one.
  EXPECT_NEAR(settled(door, {-5 * kDegree + kTurn}, true, goals)[0], -5 * kDegree, 1e-9);
}

TEST(SettleTurns, LeavesWhatIsWithinHalfATurnToTheLastBit) {
  const Skeleton door = make_door();
  EXPECT_EQ(settled(door, {0.7}, false, reach(door))[0], 0.7);
  EXPECT_EQ(settled(door, {0.7}, true, reach(door))[0], 0.7);
}

TEST(SettleTurns, KeepsClampedRangesAndGoals) {
  Skeleton door = make_door();
  door.coordinates[0].clamped = true;
  const double at = 280 * kDegree;
  EXPECT_EQ(settled(door, {at}, false, reach(door))[0], at);
  door.coordinates[0].clamped = false;
  PoseGoals goals = reach(door);
  goals.coordinates.push_back({0, at, 1});  // the turn that is asked for
  EXPECT_EQ(settled(door, {at}, false, goals)[0], at);
}

TEST(SettleTurns, LeavesJointsWhoseTurnIsNoRotationOfTheBody) {
  const double far = 0.4 + kTurn;
  const auto geared = [](double slope) {
    Skeleton out = make_door();
    for (TransformAxis& axis : out.bodies[1].joint.axes)
      if (axis.coordinate == 0) axis.function = make_line(slope, 0);
    return out;
  };
  const Skeleton half = geared(0.5), twice = geared(2);
  EXPECT_EQ(settled(half, {far}, true, reach(half))[0], far);
  // Two turns of it are one of the body.
  EXPECT_NEAR(settled(half, {far + kTurn}, true, reach(half))[0], 0.4, 1e-9);
  EXPECT_NEAR(settled(twice, {far}, true, reach(twice))[0], 0.4, 1e-9);
  // A knee that glides as it bends.
  const Skeleton walker = make_walker();
  const std::size_t knee = find_coordinate(walker, "knee_r"), hip = knee - 1;
  std::vector<double> q = rest_pose(walker);
  q[knee] = far;
  q[hip] = far;
  q = settled(walker, q, true, reach(walker));
  EXPECT_EQ(q[knee], far);
  EXPECT_NEAR(q[hip], 0.4, 1e-9);
}

TEST(SettleTurns, MindsCouplers) {
  Skeleton chain = make_planar_chain({0.3, 0.3});
  chain.coordinates[1].coupler = Coupler{0, make_line(1, 0.2)};
  const double far = 0.4 + kTurn;
  std::vector<double> q = settled(chain, {far, 0}, true, reach(chain));
  EXPECT_NEAR(q[0], 0.4, 1e-9);  // both turn back
  EXPECT_NEAR(q[1], 0.6, 1e-9);
  chain.coordinates[1].coupler->function =
      make_spline({-1, 0, 1, 9}, {-0.5, 0, 0.3, 0.1}, SplineEnds::kNatural);
  q = settled(chain, {far, 0}, true, reach(chain));
  EXPECT_EQ(q[0], far);
}

TEST(SettleTurns, ChoosesTheTripleOfABallThatIsWithinItsRanges) {
  const Skeleton walker = make_walker();
  const std::size_t hip = find_coordinate(walker, "hip_flexion_r");
  std::vector<double> q = rest_pose(walker);
  q[hip] = 0.3;
  q[hip + 1] = -0.2;
  q[hip + 2] = 0.1;
  Kinematics there, back;
  evaluate_kinematics(walker, q, there);
  std::vector<double> other = q;
  other[hip] += kTurn / 2;
  other[hip + 1] = kTurn / 2 - q[hip + 1];
  other[hip + 2] -= kTurn / 2;
  evaluate_kinematics(walker, other, back);
  const std::size_t thigh = find_body(walker, "thigh_r");
  ASSERT_LT(norm(there.bodies[thigh].rotation.col(0) - back.bodies[thigh].rotation.col(0)), 1e-12);
  other = settled(walker, other, true, reach(walker));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(other[hip + k], q[hip + k], 1e-9);
}

TEST(SettleTurns, AFreeRootStandsAtAnyTurnButOnOneSideOfHalfATurn) {
  const Skeleton walker = make_walker();
  const std::size_t heading = find_coordinate(walker, "heading");
  EXPECT_TRUE(is_free_root(walker, heading));
  EXPECT_FALSE(is_free_root(walker, find_coordinate(walker, "knee_r")));
  const FreeCoordinates free = find_free_coordinates(walker, reach(walker));
  std::vector<double> q = rest_pose(walker);
  for (const double angle : {175.0, -175.0}) {
    q[heading] = angle * kDegree;
    EXPECT_EQ(count_turned_over(walker, free, q), 0u);
    const double wanted = angle > 0 ? angle : angle + 360;
    EXPECT_NEAR(settled(walker, q, true, reach(walker))[heading], wanted * kDegree, 1e-9);
  }
  q[find_coordinate(walker, "knee_r")] = 101 * kDegree;  // 91 beyond its range
  EXPECT_EQ(count_turned_over(walker, free, q), 1u);
}

}  // namespace
}  // namespace sinew::skeleton
