// Extends directions from the voxels that have them to those that lack them, smoothly. For
// fiber_flow.h.
#pragma once

#include <vector>

#include "sinew/volume/image.h"

namespace sinew::anatomy {

// Voxels that are `wanted` and zero take the mean of the voxels around them, layer by layer, until
// no more can be reached. Then `layers` layers beyond the wanted ones. What no direction reaches,
// such as a piece apart, takes `otherwise`.
void fill_directions(const std::vector<std::uint32_t>& wanted, int layers, const Vec3f& otherwise,
                     volume::Image<Vec3f>& directions);

}  // namespace sinew::anatomy
