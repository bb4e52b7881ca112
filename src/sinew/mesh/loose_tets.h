// Drops the crumbs of a mesh that hang on it like a door or a pendulum: tetrahedra that share no
// face with the rest and fewer than three nodes. Nothing resists their turning, so that a stiffness
// matrix has no inverse there and a solver makes huge steps of nothing. For lattices that a shape
// cuts, whose last corners fill a few thousandths of a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesh {

// Indices of what is kept, increasing, in the mesh as it was.
struct FirmPart {
  std::vector<std::uint32_t> tets, nodes;
  std::vector<std::uint32_t> pieces;  // (num_tets) which of those that no face leads between
  std::size_t num_pieces = 0;         // more than one: the mesh is torn
};

// What hangs together by faces, or by three nodes that are not in a row, with the largest such
// part; and parts that fill more than a quarter of a cell, which are no crumbs.
FirmPart find_firm_part(const TetMesh& mesh);

// Keeps the firm part only. Points that crumbs carried go to the tetrahedron nearest to them, with
// weights outside [0, 1]. Returns what was kept.
FirmPart drop_loose_tets(TetMesh& mesh, std::vector<EmbeddedPoint>& points);

}  // namespace sinew::mesh
