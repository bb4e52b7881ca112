// The Euler characteristic of the material of any pieces together, such as those around one copy of
// a lattice node. For finding holes.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/piece_graph.h"

namespace sinew::mesh {

// As in piece_topology.h: 1 for what is in one piece without holes or cavities. `pieces` increase.
int measure_pieces(const PieceGraph& graph, const std::vector<std::uint32_t>& pieces);

}  // namespace sinew::mesh
