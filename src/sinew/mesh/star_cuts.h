// Finds the holes that are too small for a lattice: those around which all pieces would share a
// node. There the node gets a copy for each side of the hole, so that the copies of the cells make
// a ring. For glue_pieces.
//
// The reason (nerve lemma): a complex of copies has the holes of the material where the material
// around each node's copy has none, and that around each edge hangs together. The material around a
// node is looked at by its Euler characteristic, cells - faces + edges - node with what is inside
// of each (piece_topology.h): less than one tells of a hole.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/piece_graph.h"

namespace sinew::mesh {

// (num_contacts) Bit k: the contact's pieces have a node k each of their own, for the sake of a
// hole. At least one node of each contact is shared.
std::vector<std::uint8_t> find_star_cuts(const PieceGraph& graph);

}  // namespace sinew::mesh
