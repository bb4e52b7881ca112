#include "sinew/skeleton/follow_goals.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/reach_goals.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

using Method = FollowSettings::Method;

// The tip of a chain from one place to another within a second.
std::vector<MovingGoal> move_tip(const Skeleton& skeleton, const Vec3d& from, const Vec3d& to) {
  MovingGoal goal;
  goal.body = skeleton.bodies.size() - 1;
  for (std::size_t k = 0; k < 3; ++k) goal.target[k] = {{0, 1}, {from[k], to[k]}};
  return {goal};
}

Vec3d tip(const Skeleton& skeleton, const std::vector<double>& q) {
  Kinematics kinematics;
  evaluate_kinematics(skeleton, q, kinematics);
  return kinematics.bodies.back().translation;
}

TEST(FollowGoals, BothMethodsKeepTheTipOnItsWay) {
  const Skeleton chain = make_planar_chain({0.3, 0.25, 0.2, 0.1});
  const Vec3d from{0.5, 0.2, 0}, to{0.3, 0.5, 0};
  for (const Method method : {Method::kPseudoInverse, Method::kLeastSquares}) {
    const IkResult result =
        follow_goals(chain, move_tip(chain, from, to), {method, 25, make_middle_goals(chain)});
    ASSERT_EQ(result.motion.times.size(), 26U);
    EXPECT_EQ(result.motion.times.back(), 1);
    // The preference of a millionth pulls least squares by about as much.
    const double most = method == Method::kPseudoInverse ? 1e-7 : 1e-5;
    EXPECT_LT(result.largest, most);
    for (std::size_t k = 0; k < result.frames.size(); ++k) {
      EXPECT_TRUE(result.frames[k].converged) << k;
      const Vec3d wanted = from + (to - from) * result.motion.times[k];
      EXPECT_LT(norm(tip(chain, result.motion.q[k]) - wanted), most) << k;
    }
    // And the joints do not jump: the tip goes 1.4 cm a pose, the arm is 0.85 m long.
    for (std::size_t k = 1; k < result.motion.q.size(); ++k)
      for (std::size_t c = 0; c < 4; ++c)
        EXPECT_LT(std::abs(result.motion.q[k][c] - result.motion.q[k - 1][c]), 0.15) << k;
  }
}

TEST(FollowGoals, LeastSquaresKeepsRangesAndThePseudoInverseDoesNot) {
  Skeleton chain = make_planar_chain({0.3, 0.3});
  chain.coordinates[1].range = {-0.5, 0.5};
  const auto goals = move_tip(chain, {0.55, 0, 0}, {0.2, 0, 0});
  const IkResult within = follow_goals(chain, goals, {Method::kLeastSquares, 10, {}});
  const IkResult beyond = follow_goals(chain, goals, {Method::kPseudoInverse, 10, {}});
  EXPECT_LE(std::abs(within.motion.q.back()[1]), 0.5);
  EXPECT_GT(within.largest, 0.1);  // bent by 0.5 rad the arm reaches no nearer than 0.58 m
  EXPECT_GT(std::abs(beyond.motion.q.back()[1]), 0.6);
  EXPECT_LT(beyond.largest, 1e-7);
}

TEST(FollowGoals, NoGoalIsRefused) {
  const Skeleton chain = make_planar_chain({0.3});
  EXPECT_THROW(follow_goals(chain, {}, {}), InputError);
}

}  // namespace
}  // namespace sinew::skeleton
