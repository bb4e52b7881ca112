// What was mended on the way from a scan to a model, for the report that a person reads.
#pragma once

#include <string>

#include "sinew/core/vec.h"

namespace sinew {

struct Repair {
  std::string kind;    // such as "island", "cavity", "dropped slices", "leak", "overlap"
  std::string part;    // the part or label that was changed
  std::string other;   // the part that it gave to or took from; empty: background
  Vec3d place;         // m, the middle of what changed
  double volume;       // m^3, of what changed
  bool warn = false;   // a person should look at it
  std::string detail;  // one sentence; may be empty
};

}  // namespace sinew
