// Label volumes on other grids: oblique, flipped or anisotropic scans on the cubes that level sets
// and repairs want. For builds and for comparing volumes.
//
// Voxels of the target that lie outside the source are background. Preconditions: grids whose axes
// span space.
#pragma once

#include "sinew/volume/image.h"

namespace sinew::volume {

// The label of the source's voxel whose centre is nearest, in the source's index space.
LabelVolume resample(const LabelVolume& source, const Grid& grid);

// The label with the greatest trilinear weight among the eight voxels around a point: boundaries
// are cut where linear interpolation of each label's mask cuts them, which rounds the steps of
// oblique and coarse sources. Of equal weights the voxel before wins.
LabelVolume resample_by_weight(const LabelVolume& source, const Grid& grid);

// Cubes of edge `voxel`, m, along world x, y, z, that cover every voxel of the source; the first
// corner is the source's. Throws InputError where that makes more than 2^30 of them.
// Precondition: voxel > 0.
Grid make_axis_aligned_grid(const Grid& source, double voxel);

}  // namespace sinew::volume
