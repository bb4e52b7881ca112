// Paths over cylinders about z: by OpenSim's rules, and exactly.
//
// Source: docs/theory/skeleton.md, equations (12)-(13). A cylinder of length l holds a path where
// one of the two touching points is within |z| <= l / 2.
#pragma once

#include "sinew/skeleton/wrap_arc.h"

namespace sinew::skeleton {

// The helix that meets both straight parts without a kink.
WrapStatus wrap_cylinder_geodesic(const WrapObject& object, const Stretch& stretch, WrapArc& arc);

// As OpenSim places it. `refine`: its additional search along the axis, which it makes for paths
// with several wrap objects.
WrapStatus wrap_cylinder_opensim(const WrapObject& object, const Stretch& stretch, bool refine,
                                 WrapArc& arc);

}  // namespace sinew::skeleton
