// The border between two solids that overlap: where their depths, each relative to its own local
// thickness, are equal. A thin tendon thus keeps most of itself where it runs into a thick belly.
//
//   border = (phi_a T_b - phi_b T_a) / (T_a + T_b),  negative where a stays
//
// phi: signed distance, T: local thickness. Swapping a and b changes the sign and no bit more: what
// one gives up is what the other one keeps.
#pragma once

#include "sinew/levelset/level_set.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

// A solid with what it needs to argue with its neighbours.
struct Claim {
  LevelSet level_set;
  volume::Field thickness;  // m, over what is contested; half a voxel counts beyond; may be empty
};

// Voxels that can be inside both or next to both, and one more on each side: the same for (a, b)
// and (b, a).
IndexBox contact_box(const LevelSet& a, const LevelSet& b);

// m, with a slope near one at its zero set, over a box.
volume::Field compute_border(const Claim& a, const Claim& b, const IndexBox& box);

}  // namespace sinew::levelset
