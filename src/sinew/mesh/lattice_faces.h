// Which tetrahedron of the BCC lattice lies across each face of another. For walking the lattice.
#pragma once

#include <array>
#include <cstddef>

#include "sinew/mesh/bcc_lattice.h"

namespace sinew::mesh {

struct FaceNeighbor {
  Cell step;        // from a tetrahedron's cell to its neighbour's
  int orientation;  // of the neighbour
  // The three nodes of the face as they stand in nodes_of either side, in the same order.
  std::array<std::size_t, 3> mine, theirs;
};

// The neighbour across the face opposite to node `face` of nodes_of.
const FaceNeighbor& neighbor_across(int orientation, std::size_t face);

}  // namespace sinew::mesh
