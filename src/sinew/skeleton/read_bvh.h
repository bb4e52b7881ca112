// Motion capture in .bvh files: a skeleton of bones without mass and the motion of its joints. For
// everything that takes a motion.
//
// Departures: channels that shift add to the joint's OFFSET (some programs let them replace it;
// files where both are not zero are rare); angles go on without jumps of a whole turn.
#pragma once

#include <string>

#include "sinew/skeleton/motion.h"

namespace sinew::skeleton {

struct BvhFile {
  Skeleton skeleton;  // coordinates such as "Hips_Zrotation"; end sites are markers "Toe_end"
  Motion motion;
};

// `scale`: from the file's unit to m. Both throw InputError with the line where the file is
// damaged.
BvhFile read_bvh(const std::string& path, double scale);
BvhFile parse_bvh(const std::string& text, const std::string& path, double scale);

}  // namespace sinew::skeleton
