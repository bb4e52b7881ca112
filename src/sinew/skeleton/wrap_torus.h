// Paths through rings: a torus about z is a ring that the path runs through the hole of.
//
// Source: docs/theory/skeleton.md, equations (21)-(27). Size: x is the radius of the ring's middle
// circle, y that of the tube. OpenSim's rules put a cylinder in place of the tube where the circle
// is nearest to the line; the exact path is a geodesic of the torus. A torus without a hole (y >=
// x) holds nothing in the exact rules.
#pragma once

#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

WrapStatus wrap_torus_opensim(const WrapObject& object, const Stretch& stretch, bool refine,
                              WrapArc& arc);

// The shortest way through the hole, on the tube or across the hole from one side of it to the
// other. Where ends with different signs of z pass the ring outside, they are led through the hole.
WrapStatus wrap_torus_geodesic(const WrapObject& object, const Stretch& stretch, WrapArc& arc);

}  // namespace sinew::skeleton
