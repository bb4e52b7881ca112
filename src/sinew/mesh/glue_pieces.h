// Turns the pieces of a shape in lattice cells into copies of the cells with nodes of their own:
// copies share the nodes of a face where material goes through it (teran2005 section 6, Fig. 9).
//
// Departures: around a hole that is too small for the lattice a node has several copies
// (star_cuts.h), which the paper's rule would make one. Grooves of real surfaces cut many cells
// where nothing moves on its own: a crumb that ends in its cell goes with the piece beside it, and
// copies with next to nothing in them are left out. Both only where the complex of copies keeps
// its bodies and holes.
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
