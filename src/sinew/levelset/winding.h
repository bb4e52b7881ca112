// How often a closed surface winds around each voxel: the sign of a distance that holds where the
// surface cuts itself, where it is thinner than a voxel, and at its sharpest edge.
#pragma once

#include <cstdint>

#include "sinew/levelset/level_set.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

// Winding number of each voxel's centre: 0 outside, 1 inside, more where the surface overlaps
// itself. Signed crossings are counted along x, on lines that lie a ten millionth of a voxel beside
// the centres so that none meets an edge. Preconditions: `box` holds the surface; each edge is run
// along as often one way as the other.
volume::Image<std::int16_t> compute_winding(const mesh::Surface& surface, const IndexBox& box,
                                            double voxel);

}  // namespace sinew::levelset
