// Which columns of a recording are which markers of a skeleton, and which of its frames count: what
// inverse kinematics and the judgement of its result have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/skeleton/inverse_kinematics.h"

namespace sinew::skeleton {

struct UsedMarker {
  std::size_t column;  // of the table
  PointGoal goal;      // without target
};

// One or more, in the order of the table; `unknown`, where given, gets the names that the skeleton
// does not have. Throws InputError where none can be used or a weight is bad.
std::vector<UsedMarker> match_markers(const Skeleton& skeleton, const MarkerTable& table,
                                      const IkSettings& settings,
                                      std::vector<std::string>* unknown = nullptr);

// The rows of the table in the time range, one after the other. Throws InputError where none is.
std::vector<std::size_t> select_frames(const Skeleton& skeleton, const MarkerTable& table,
                                       const IkSettings& settings);

// Replaces the goals' points by the markers that were seen in this row of the table.
void set_targets(const std::vector<UsedMarker>& used, const std::vector<Vec3d>& row,
                 PoseGoals& goals);

}  // namespace sinew::skeleton
