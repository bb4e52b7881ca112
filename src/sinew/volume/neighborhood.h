// Voxels around a voxel. For repairs that look about.
#pragma once

#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

// Moves to the voxels within a distance, m, nearest first, the centre left out.
std::vector<Index> make_ball(const Grid& grid, double radius);

// Has one of the neighbours across faces another label? Precondition: contains(grid, index).
bool has_other_neighbor(const LabelVolume& labels, const Index& index);

}  // namespace sinew::volume
