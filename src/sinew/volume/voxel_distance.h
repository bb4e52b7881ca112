// Distances on a grid of cubes up to a limit, and the morphology that follows from them. For
// anatomies drawn as voxels.
//
// Masks hold 0 or 1 a voxel of `size`, i fastest. Radii are in voxels, from 0 to 120. What lies
// outside the grid counts as empty.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

using Mask = std::vector<std::uint8_t>;

// Voxels whose centre is at most `radius` from the centre of a voxel of the mask.
Mask dilate(const Mask& mask, const Index& size, double radius);

// Voxels whose centre is farther than `radius` from every voxel outside the mask; the grid's
// border does not erode.
Mask erode(const Mask& mask, const Index& size, double radius);

}  // namespace sinew::volume
