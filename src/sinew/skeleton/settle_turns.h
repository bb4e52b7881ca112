// Poses that are one and the same but for their angles: a turn more or less, or the other triple of
// angles of a ball. Which of them is meant, for inverse kinematics, whose solver ends at any.
//
// Source: docs/theory/skeleton.md, equations (65)-(67).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/pose_goals.h"

namespace sinew::skeleton {

// Whether the file says where this coordinate should be: a turn with a range of some width, a
// whole turn at most.
bool has_turn_range(const Coordinate& coordinate);

// Whether this coordinate turns a body that moves freely over the ground (its joint to the ground
// shifts along two axes or more): such a body may stand at any turn, whatever the range says.
bool is_free_root(const Skeleton& skeleton, std::size_t coordinate);

// How many turns of the pose lie more than a quarter turn beyond their range: far more than a
// joint that bends too far, so that something has turned over. Those of a free root do not count.
std::size_t count_turned_over(const Skeleton& skeleton, const FreeCoordinates& free,
                              const std::vector<double>& q);

struct TurnWorkspace {
  Kinematics before, after;
  std::vector<double> trial;
};

// Both take turns of `q` to equal poses: every body stays where it is, the coordinates' goals are
// met no worse and clamped ranges are kept. Where a turn of the coordinate is no whole turn of a
// body (a joint or a coupler that is a spline of it), it stays. `near`: (num_coordinates).
//
// Each turn to the one nearest to `near`; for the next pose of a motion.
void settle_near(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                 const std::vector<double>& near, std::vector<double>& q, TurnWorkspace& workspace);
// Each turn, and each ball's triple of angles, to where it is within its range or least beyond it;
// of those to that nearest to `near`. For a first pose.
void settle_in_ranges(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                      const std::vector<double>& near, std::vector<double>& q,
                      TurnWorkspace& workspace);

}  // namespace sinew::skeleton
