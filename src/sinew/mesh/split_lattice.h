// A lattice mesh whose cells exist once for each connected piece of material in them: fingers that
// lie side by side in one cell move on their own, and what hangs together stays together
// (teran2005 section 6, Fig. 9). For bodies with heads, gaps and folds finer than a cell.
//
// Steps: cell_pieces.h finds the pieces, piece_graph.h what touches, glue_pieces.h the copies.
// Holes smaller than a cell are kept by copies of the nodes around them (star_cuts.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/cell_pieces.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesh {

struct SplitSettings {
  // Most samples along an edge of a doubtful cell: 4, 8, 16 or 32; shapes that are sampled
  // themselves get no more than two a voxel. Gaps and bridges of two samples are told apart.
  int samples = 32;
  double crumb = 0.05;  // pieces that fill less of a cell and end in it go with others
  PartFunction part;    // empty: one part
};

struct SplitReport {
  std::size_t num_cells = 0;        // with at least one copy
  std::size_t num_split_cells = 0;  // with several
  std::size_t num_joined = 0;       // pieces that became one copy with another of their cell
  std::size_t num_dropped = 0;      // pieces too small for elements of their own
  std::size_t num_components = 0;   // connected bodies
};

// Which copy carries the material at a place: cells by key, pieces of cell c in
// [first_piece[c], first_piece[c + 1]).
struct PieceIndex {
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint64_t> keys;                 // (num_cells) increasing
  std::vector<std::uint32_t> first_piece;          // (num_cells + 1)
  std::vector<std::uint32_t> tets;                 // (num_pieces) or kNone: dust
  std::vector<std::uint16_t> parts;                // (num_pieces)
  std::vector<std::vector<std::uint16_t>> labels;  // (num_cells) as CellPieces; empty: one piece
  int samples = 0;                                 // of cells with labels
};

// Keys of the mesh repeat where a cell has copies, which stand next to each other; so do the copies
// of a node. The fills of the copies add up to that of the cell.
struct SplitLattice {
  LatticeMesh lattice;
  std::vector<std::uint16_t> parts;       // (num_tets)
  std::vector<std::uint32_t> components;  // (num_tets) connected bodies, by first tetrahedron
  PieceIndex index;
  SplitReport report;
};

// Precondition: shape is bounded. Empty where the shape has no material that samples see.
SplitLattice make_split_lattice(const Shape& shape, double spacing, const SplitSettings& settings);

// Numbers the connected bodies: fills `components` and the report's count of them.
void find_components(SplitLattice& split);

// Each point in the copy of its cell whose material is nearest; points outside the material's cells
// go to the nearest cell. `parts`, (num_points) or empty, names the part that each point belongs
// to: the surfaces of two parts that touch. Precondition: the mesh is not empty. Throws
// std::invalid_argument for a point that is more than about a spacing away from every cell of its
// part.
std::vector<EmbeddedPoint> embed(const SplitLattice& split, const std::vector<Vec3d>& points,
                                 const std::vector<std::uint16_t>& parts = {});

}  // namespace sinew::mesh
