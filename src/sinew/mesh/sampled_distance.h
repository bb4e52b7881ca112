// A signed distance between the samples of a grid: level sets as shapes.
#pragma once

#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// Trilinear between voxel centres; beyond them, the value at the nearest point of the grid's box
// plus the distance to it. Precondition: at least two voxels along each axis.
DistanceSample sample(const Sampled& shape, const Vec3d& x);

// The distance of it alone, to the last bit.
double sample_value(const Sampled& shape, const Vec3d& x);

// A box around the voxels that are inside or next to an inside one; around the grid's origin where
// there are none.
Bounds compute_bounds(const Sampled& shape);

}  // namespace sinew::mesh
