// The offset that gives a level set a wanted volume. For smoothing, which shrinks what is convex.
#pragma once

#include <functional>

#include "sinew/volume/image.h"

namespace sinew::levelset {

// Adds the offset c in [-reach, reach] (m) that brings moved(c) nearest to `volume` (m^3) and
// returns that field. Precondition: the volume of moved(c) falls as c grows.
volume::Field match_volume(const std::function<volume::Field(double)>& moved, double reach,
                           double volume);

}  // namespace sinew::levelset
