// How well a mesh's boundary fits the shape it was made from. For the report of
// make_conforming_mesh.
#pragma once

#include "sinew/mesh/conforming_mesh.h"

namespace sinew::mesh {

// Fills in all of mesh.report but the cell's size. The source is the surface that a closed mesh was
// read from, else the zero contour on a lattice of half the finest cell.
void add_report(const Shape& shape, ConformingMesh& mesh);

}  // namespace sinew::mesh
