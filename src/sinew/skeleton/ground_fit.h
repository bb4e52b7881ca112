// How the ground of a recording stands in that of a model: the rigid motion of all markers with
// which a pose fits them best. Tells a recording in another frame from one of another body.
//
// Source: docs/theory/skeleton.md, equation (69).
#pragma once

#include "sinew/skeleton/solve_pose.h"

namespace sinew::skeleton {

struct GroundFit {
  Frame frame = kIdentityFrame;  // takes recorded points to the model's ground
  double rms = 0;                // m, of the distances that are left, without weights
};

// The model's ground is let go: it floats (`may_turn`) or shifts with all that stands on it, and
// the pose is searched. `goals`: with the recorded points as targets, one or more.
GroundFit fit_ground(const Skeleton& skeleton, PoseGoals goals, bool may_turn);

}  // namespace sinew::skeleton
