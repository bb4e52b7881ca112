// Skeletons from Denavit-Hartenberg tables: a chain of joints with four numbers each (chen1992,
// section 4.1.1 and Table 4.1, after Paul 1981).
//
// Source: docs/theory/skeleton.md, equation (59).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// From a joint's frame to the next: a turn by theta about z, a shift by d along z, a shift by a
// along the turned x, a twist by alpha about that x.
struct DhJoint {
  enum class Kind { kRevolute, kPrismatic };  // theta moves, or d
  std::string name;                           // of the body it moves; empty: joint_N
  double theta = 0, d = 0, a = 0, alpha = 0;  // rad, m, m, rad; the one that moves: its rest value
  Kind kind = Kind::kRevolute;
  bool frozen = false;                     // a dummy joint that only turns the frame
  std::array<double, 2> range{-1e9, 1e9};  // rad or m; kept where it is given
};

// Ground and a body a joint, each the child of the one before; coordinates are named as the bodies.
// `base`: the first joint's frame in the ground. Throws InputError with `file` where there is no
// joint, a number is not finite, a range is upside down or a name stands twice.
Skeleton make_dh_skeleton(const std::vector<DhJoint>& joints, const Frame& base,
                          const std::string& file);

}  // namespace sinew::skeleton
