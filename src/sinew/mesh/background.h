// The lattice around a shape from which a mesh is cut, fine where the shape asks for it. For
// make_conforming_mesh.
#pragma once

#include "sinew/mesh/red_green.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// Every cell that the shape reaches into, of edge `cell` (m), halved up to `levels` times where the
// surface passes and turns by more than `turn` (rad) within the cell. Precondition: the shape is
// bounded.
PlainMesh make_background(const Shape& shape, double cell, int levels, double turn);

}  // namespace sinew::mesh
