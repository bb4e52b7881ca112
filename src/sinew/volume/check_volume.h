// What a label volume holds, and whether a build can begin with it. For `sinew check` and tests.
#pragma once

#include <vector>

#include "sinew/core/check_row.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

// Size, spacing, angles and handedness of the grid, the share of voxels with a label, and for each
// label (of the first 300) its volume, connected pieces (26 neighbours) and whether it touches the
// border of the scan.
std::vector<CheckRow> check_volume(const LabelVolume& volume);

}  // namespace sinew::volume
