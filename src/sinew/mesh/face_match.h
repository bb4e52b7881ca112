// What hangs together across the face between two cells. For make_piece_graph.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh/cell_pieces.h"
#include "sinew/mesh/lattice_faces.h"

namespace sinew::mesh {

struct FaceMatch {
  std::vector<std::array<std::uint16_t, 2>> pairs;  // pieces of `fine` and of `coarse` that touch
  // Whether `coarse` sees all that reaches the face from `fine`; where not, it has to be sampled
  // as finely.
  bool seen = true;
};

// `face` leads from fine to coarse; coarse may be null: a cell without material. Precondition:
// fine.n >= coarse->n.
FaceMatch match_face(const CellPieces& fine, const CellPieces* coarse, const FaceNeighbor& face);

}  // namespace sinew::mesh
