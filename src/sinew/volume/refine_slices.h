// New slices between those of a scan whose slices lie far apart, by the shape of each label (Raya
// and Udupa, "Shape-based interpolation of multidimensional objects", 1990). For builds from
// anisotropic volumes: weights of neighbouring voxels alone only repeat the nearest slice.
#pragma once

#include "sinew/volume/image.h"

namespace sinew::volume {

// The volume with voxels as near to cubes as whole parts of its coarsest spacing make them; the
// same volume where that spacing is below 1.5 times the next. Old slices stay as they are. Between
// two of them signed distances to each label's outlines are interpolated and the deepest label
// wins; a label whose two sections share no voxel stays with the nearer slice.
LabelVolume refine_slices(const LabelVolume& source);

}  // namespace sinew::volume
