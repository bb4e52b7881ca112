// Takes care that no place belongs to two tissues: bone wins over cartilage and ligament, these win
// over muscle, muscle over fat; among equals the border is that of overlap_border.h. For models of
// many parts whose surfaces run into each other.
//
// A part that would be cut in pieces wins back a bridge through what was taken from it, unless a
// tissue of a higher rank took it. Borders are sub-voxel and shared: nothing is left to both, and
// nothing that belonged to one of them is left to none.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/repair.h"
#include "sinew/levelset/level_set.h"

namespace sinew::levelset {

enum class TissueRank { kBone, kLigament, kMuscle, kFat };  // kLigament: cartilage too

struct OverlapPart {
  std::string name;
  TissueRank rank;
  LevelSet level_set;
};

// Changes the level sets in place; all must have the same voxel. Repairs, in the order of the
// parts: "overlap", one for each part and each other part that took from it, with what it lost
// there; "overlap in all" (warn) where a part loses more than a tenth; "bridge" where a part was
// kept in one piece; "cut" (warn) where it could not be; "crumb" for pieces of a few voxels that
// were left over and dropped.
std::vector<Repair> resolve_overlaps(std::vector<OverlapPart>& parts);

}  // namespace sinew::levelset
