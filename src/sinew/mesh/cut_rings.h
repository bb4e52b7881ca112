// Cuts pieces of a lattice cell with a hole through them into sectors, which a lattice can glue
// into a ring: one copy of the cell would close the hole. For make_piece_graph.
#pragma once

#include "sinew/mesh/cell_pieces.h"

namespace sinew::mesh {

// Whether a piece of the cell has a hole and is not cut yet.
bool has_ring(const CellPieces& cell);

// Cuts each piece with a hole in two, and so on, until there are eight without one: a contact for
// each end of the four nodes' cuts. Sectors follow each other where the piece was, with its
// `whole`.
void cut_rings(CellPieces& cell);

}  // namespace sinew::mesh
