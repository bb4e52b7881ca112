// How thick a solid is at each place: the radius of the largest ball inside it that holds the place
// (Hildebrand and Rueegsegger 1997). For deciding who keeps what where two parts overlap.
#pragma once

#include "sinew/volume/image.h"

namespace sinew::levelset {

// `distances` of redistance(); result in metres on the same grid: at least half a voxel inside,
// continued two voxels to the outside, half a voxel beyond. Precondition: no voxel at the rim is
// inside.
volume::Field compute_local_thickness(const volume::Field& distances);

}  // namespace sinew::levelset
