// Inverse kinematics of end effectors by the pseudo-inverse of the Jacobian with a secondary goal
// in its null space (chen1992, section 4.1.2): the goals come first, and among the poses that meet
// them the one that the secondary goal likes best. solve_pose.h has the robust form with ranges.
//
// Source: docs/theory/skeleton.md, equations (56)-(58).
// Departures: the thesis integrates velocities; here each step is shortened until it helps, so that
// goals out of reach end at the nearest point and singular poses do no harm.
#pragma once

#include <vector>

#include "sinew/skeleton/pose_goals.h"
#include "sinew/skeleton/solve_pose.h"

namespace sinew::skeleton {

// A secondary goal that keeps every coordinate with a range near its middle: the squared distance
// from it counts 1 at the limits.
std::vector<CoordinateGoal> make_middle_goals(const Skeleton& skeleton);

struct ReachSolution {
  PoseSolution pose;           // cost: of the goals alone
  double secondary = 0;        // weighted sum of squares of the secondary goal
  double secondary_slope = 0;  // largest entry of its gradient in the null space: 0 at the best
};

// From the pose `start`. `secondary`: coordinates that move no goal may be among them and go
// straight to their values. Ranges are not kept (make_middle_goals keeps away from them); point
// constraints count as goals. `converged`: neither goals nor secondary goal ask for a step above
// settings.accuracy.
ReachSolution reach_goals(const Skeleton& skeleton, const PoseGoals& goals,
                          const std::vector<CoordinateGoal>& secondary,
                          const std::vector<double>& start, const PoseSettings& settings);

}  // namespace sinew::skeleton
