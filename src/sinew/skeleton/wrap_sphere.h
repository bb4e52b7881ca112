// Paths over spheres: great circles, which OpenSim's rules and the exact ones share.
//
// Source: docs/theory/skeleton.md, equation (14). A quadrant makes the path pass on its side within
// the plane of the two ends and the centre.
#pragma once

#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

WrapStatus wrap_sphere(const WrapObject& object, const Stretch& stretch, WrapArc& arc);

}  // namespace sinew::skeleton
