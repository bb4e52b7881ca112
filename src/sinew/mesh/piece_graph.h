// The pieces of a shape in all cells of a lattice, and which of them touch across faces: what a
// split lattice is glued from (teran2005 section 6). Time and memory grow with the cells that the
// shape reaches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/cell_pieces.h"

namespace sinew::mesh {

// Material of piece a goes on in piece b: through a face of the lattice, or within the cell where
// both are sectors of one.
struct Contact {
  std::uint32_t a, b;  // pieces
  // The nodes that both have, as in nodes_of either cell: three of a face, four within a cell.
  std::array<std::uint8_t, 4> a_nodes, b_nodes;
  std::uint8_t num_nodes;
};

// Piece p of cell c has the number first_piece[c] + p.
struct PieceGraph {
  BccLattice lattice;
  std::vector<CellPieces> cells;           // those with material, by increasing key
  std::vector<std::uint64_t> keys;         // (num_cells) increasing
  std::vector<std::uint32_t> first_piece;  // (num_cells + 1)
  std::vector<std::uint32_t> cell_of;      // (num_pieces)
  std::vector<Contact> contacts;           // in the order of cells

  std::size_t num_pieces() const { return cell_of.size(); }
  const Piece& piece(std::size_t p) const {
    return cells[cell_of[p]].pieces[p - first_piece[cell_of[p]]];
  }
};

// `finest` as of tet_grid. Neighbouring cells agree about what crosses the face between them: one
// that is sampled too coarsely to see it is sampled again. No piece has a hole. Precondition: shape
// is bounded.
PieceGraph make_piece_graph(const Shape& shape, double spacing, int finest,
                            const PartFunction& part);

}  // namespace sinew::mesh
