// Turns the pieces of a shape in lattice cells into copies of the cells with nodes of their own:
// copies share the nodes of a face where material goes through it (teran2005 section 6, Fig. 9).
//
// Departures: grooves of real surfaces cut many cells where nothing moves on its own. Pieces of one
// cell that share three nodes already, or one of which is a crumb that shares any, become one copy.
// Only what hangs together is ever joined, so that the number of connected bodies stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/mesh/piece_graph.h"

namespace sinew::mesh {

struct Gluing {
  static constexpr std::uint32_t kNone = 0xffffffff;
  // (num_pieces) The first of the pieces that share its copy. Pieces too small for a copy name a
  // neighbour's; kNone: a speck of dust that nothing carries.
  std::vector<std::uint32_t> copy;
  std::vector<double> fill;          // (num_pieces) of the copy, where copy[p] == p
  std::vector<std::uint32_t> nodes;  // (num_pieces x 4) equal where nodes are shared
  std::size_t num_joined = 0;        // pieces that became one with another piece of their cell
  std::size_t num_dropped = 0;       // pieces too small for a copy
};

// `crumb`: pieces that fill less of a cell are crumbs.
Gluing glue_pieces(const PieceGraph& graph, double crumb);

}  // namespace sinew::mesh
