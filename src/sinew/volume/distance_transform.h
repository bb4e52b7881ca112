// Exact Euclidean distances on a grid of boxes (Felzenszwalb and Huttenlocher, "Distance transforms
// of sampled functions", 2012: lower envelopes of parabolas, one axis after the other). For repairs
// that interpolate sections or look for clearance; images of one slice are welcome.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::volume {

// Distance, m, from the centre of each voxel to the nearest centre of a voxel whose mask is not
// zero; infinite where there is none. `mask` holds num_voxels values, i fastest; `spacing` in m.
std::vector<float> compute_distances(const std::vector<std::uint8_t>& mask, const Index& size,
                                     const Vec3d& spacing);

// Distance to the boundary between the mask and the rest, negative inside, zero half way between
// neighbours of either kind; infinite where the mask is empty.
std::vector<float> compute_signed_distances(const std::vector<std::uint8_t>& mask,
                                            const Index& size, const Vec3d& spacing);

// Lengths of the grid's axes, m.
inline Vec3d spacing_of(const Grid& grid) {
  return {norm(grid.axes.col(0)), norm(grid.axes.col(1)), norm(grid.axes.col(2))};
}

}  // namespace sinew::volume
