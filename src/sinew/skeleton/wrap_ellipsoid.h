// Paths over ellipsoids: by OpenSim's rules, and exactly.
//
// Source: docs/theory/skeleton.md, equations (15)-(20) and "OpenSim's rules". Departure of the
// first: tangents in closed form and arcs by integration, where OpenSim searches and sums chords.
#pragma once

#include "sinew/skeleton/ellipsoid_section.h"

namespace sinew::skeleton {

// A geodesic of the surface. Of two that pass on different sides it is the shorter one; with a
// quadrant the one on the side that OpenSim takes. `arc` may hold the result for a nearby stretch
// (`nearby`), where the search then starts.
WrapStatus wrap_ellipsoid_geodesic(const WrapObject& object, const Stretch& stretch,
                                   PathWrap::Method method, bool nearby, WrapArc& arc);

// A plane cut, as OpenSim lays it.
WrapStatus wrap_ellipsoid_opensim(const WrapObject& object, const Stretch& stretch,
                                  PathWrap::Method method, WrapArc& arc);

// Towards which side of the line OpenSim lays its plane: a unit vector at right angles to it.
// `samples`: of its fan, 298 in OpenSim. Precondition: line.hits.
Vec3d choose_side_opensim(const WrapObject& object, const ScaledLine& line, PathWrap::Method method,
                          int samples);

}  // namespace sinew::skeleton
