// Directions sampled on voxels, kept only near the muscle, as a function of place. For fibre fields
// that are asked once an element, by any thread, and may not fail.
#pragma once

#include "sinew/anatomy/fiber_field.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// Between voxels directions are interpolated; farther away than they reach, the nearest ones are
// taken from a coarse copy that fills the grid's box, and beyond the box those of its border. The
// result is always a unit vector. Voxels of zero have no direction; at least one has one.
FiberField make_image_fibers(const volume::Image<Vec3f>& directions);

}  // namespace sinew::anatomy
