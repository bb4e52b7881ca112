// The points that a path runs through in a pose: fixed, conditional and moving ones. For the path
// solver.
//
// Source: docs/theory/skeleton.md, equation (10).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/kinematics.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// A point of the solved path: one of the path's own, or one of the two where it touches an object.
struct PathNode {
  Vec3d x{};  // m, in the ground
  std::size_t body = kGround;
  std::size_t point = kNone;  // index in the path's points
  std::size_t wrap = kNone;   // index in the path's wraps
  double arc = 0;             // m, over the object to the next node; 0 where it goes on straight
};

// Replaces `nodes` by the path's active points, in order.
void place_path_points(const Kinematics& kinematics, const std::vector<double>& q, const Path& path,
                       std::vector<PathNode>& nodes);

// Whether a point belongs to the path in this pose.
bool is_active(const PathPoint& point, const std::vector<double>& q);

}  // namespace sinew::skeleton
