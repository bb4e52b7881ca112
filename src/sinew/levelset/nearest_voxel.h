// The nearest marked voxel of each voxel of an image, exact for voxels that are not cubes
// (Felzenszwalb and Huttenlocher 2012). For distances between slices of a scan.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::levelset {

inline constexpr std::uint32_t kNoVoxel = 0xffffffffU;

// Offset of the nearest voxel with mark != 0; kNoVoxel where none is within `reach`. `spacing`
// between voxels along i, j, k; axes count as orthogonal. Precondition: fewer than 2^32 - 1 voxels.
std::vector<std::uint32_t> find_nearest(const volume::Index& size, const Vec3d& spacing,
                                        const std::vector<std::uint8_t>& marks,
                                        double reach = std::numeric_limits<double>::infinity());

}  // namespace sinew::levelset
