// The surface of a shape as triangles, by marching tetrahedra over a lattice: closed, outward, with
// every vertex on the zero set to a thousandth of the spacing.
#pragma once

#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// Precondition: shape is bounded. A closed mesh is returned as it was read.
Surface make_isosurface(const Shape& shape, double spacing);

}  // namespace sinew::mesh
