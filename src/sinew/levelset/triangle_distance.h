// Distances to triangles on a box of voxels, by OpenVDB.
#pragma once

#include "sinew/levelset/level_set.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

// Unsigned distances (m) to the triangles, true up to kBand voxels, that bound beyond.
volume::Field compute_triangle_distance(const mesh::Surface& surface, const IndexBox& box,
                                        double voxel);

}  // namespace sinew::levelset
