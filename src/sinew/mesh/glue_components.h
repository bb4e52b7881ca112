// Joins the connected bodies of a split lattice where copies of one node stand in several of them.
// For shapes that are known to be one solid, whose thinnest necks no sample saw.
#pragma once

#include "sinew/mesh/split_lattice.h"

namespace sinew::mesh {

// Nodes of different bodies at one place become one node. Bodies without such a place stay apart.
// Updates the mesh, `components` and the report.
void glue_components(SplitLattice& split);

}  // namespace sinew::mesh
