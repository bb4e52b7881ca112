// Slices of a segmented body as a label volume: a folder of grey PNG pictures whose grey values are
// the labels, as in the segmented Visible Human. For scans that were labelled slice by slice.
#pragma once

#include <string>

#include "sinew/volume/image.h"

namespace sinew::volume {

struct StackSpacing {
  double pixel;  // m, > 0
  double slice;  // m, not 0; negative where slices are counted from the head down
};

// One slice for each .png file of the folder, in the order of the last number in its name; numbers
// rise in equal steps. A picture's columns run along +x and its rows, from the top, along +y (the
// patient's left and back, as slices are shown); slices follow each other along +z, or along -z
// where their spacing is negative. The first pixel of the first slice is at zero.
// Throws InputError where there is no slice, one is damaged or of another size, a number is
// missing or stands twice, or the spacing is not finite.
LabelVolume read_contour_stack(const std::string& folder, const StackSpacing& spacing);

// Does the folder hold a .png file? False where it cannot be read.
bool is_contour_stack(const std::string& folder);

}  // namespace sinew::volume
