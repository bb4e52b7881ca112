// Mean curvature flow that keeps the volume. For level sets of labels: surfaces are sharp already,
// and lose by it.
#pragma once

#include "sinew/levelset/level_set.h"

namespace sinew::levelset {

inline constexpr int kSmoothingSteps = 6;

// Moves the surface by `steps` explicit steps of h^2 / 8 of curvature flow, then outward so that
// the volume is as before, but no place by more than half a voxel: thin tendons stay. Where the
// number of pieces would change, the bound is halved, twice at most; false where that did not help
// either and nothing was changed.
bool smooth(LevelSet& level_set, int steps = kSmoothingSteps);

// The same for distances (m) that are true within kBand voxels of the surface; afterwards they are
// only next to it, as redistance() in distance_field.h wants them.
bool smooth(volume::Field& field, int steps = kSmoothingSteps);

}  // namespace sinew::levelset
