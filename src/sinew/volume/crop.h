// Part of a label volume, at the same places in space. For builds that need one limb of a scan, and
// for room around labels that touch the scan's border.
#pragma once

#include "sinew/volume/connected_components.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

// The voxels from `low` to `high`, both included. What lies outside the volume is background, so
// that a crop may also add a margin. Precondition: low <= high along each axis.
LabelVolume crop(const LabelVolume& volume, const Index& low, const Index& high);

// The smallest box of all voxels that are not background; high < low where there is none.
VoxelBox find_labelled_box(const LabelVolume& volume);

// Crops to that box with `margin` voxels more on every side, as background where the volume ends.
// Throws InputError where no voxel has a label. Precondition: margin >= 0.
LabelVolume crop_to_labels(const LabelVolume& volume, std::int32_t margin);

}  // namespace sinew::volume
