// Cuts a shape out of a background mesh so that every boundary node lies on the zero contour.
//
// Source: Labelle and Shewchuk, "Isosurface stuffing" (2007), on the red-green lattice of
// red_green.h. A background node that the contour passes too close is pulled onto it; the cells
// that still straddle it are cut by fixed patterns.
// Departure: teran2005 section 3.2 keeps whole cells and presses their boundary onto the contour.
// There a cell may have all its nodes on the boundary, which must then stay flat or stay away: fit
// is traded for angle. Here each boundary node begins on the contour, and the lattice bounds the
// angles (10.7 to 164.8 degrees where the cells at the surface are of one size).
#pragma once

#include <vector>

#include "sinew/mesh/red_green.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// The part of the background inside the shape: nodes are renumbered, tetrahedra have positive
// volume. Precondition: the background covers the shape. Empty where no node of it is inside.
PlainMesh make_stuffed_mesh(const Shape& shape, PlainMesh background);

}  // namespace sinew::mesh
