// The middle of a built muscle from its origin to its insertion: where a line muscle would run.
#pragma once

#include <vector>

#include "sinew/anatomy/model.h"

namespace sinew::coupling {

struct MiddleLine {
  std::vector<Vec3d> points;  // m, from the middle of the origin to that of the insertion
  double flesh = 1;           // part of its slices that are mostly flesh, not tendon, > 0
};

// Points from the middle of the origin to that of the insertion, m: between them the centres of
// slices of equal way, which is the distance from the origin within the muscle over the sum of the
// distances from both ends. The straight line where an end cannot be reached from the other.
MiddleLine trace_middle(const anatomy::Muscle& muscle);

}  // namespace sinew::coupling
