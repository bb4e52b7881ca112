// The offset that gives a level set a wanted volume. For smoothing, which shrinks what is convex.
#pragma once

#include "sinew/volume/image.h"

namespace sinew::levelset {

// Returns `values` plus the offset c in [-reach, reach] (m) that brings their volume nearest to
// `volume` (m^3), but no value further than `bound` (m) from that of `anchor`. Preconditions: both
// have one grid, whose outermost voxels are outside.
volume::Field match_volume(const volume::Field& values, const volume::Field& anchor, double bound,
                           double reach, double volume);

}  // namespace sinew::levelset
