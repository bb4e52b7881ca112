// Adds cells to a lattice mesh where it is torn: where a body is thinner than its samples, as a
// tendon between two bellies is, pieces of its lattice can end up without a common face, and
// nothing carries force from one to the other. For bodies that are known to be one solid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesh {

struct Bridge {
  Vec3d place;               // m
  std::size_t num_tets = 0;  // added; none where the two sides only had nodes of their own
  double volume = 0;         // m^3, of the material in them
};

// Joins the firm pieces of a mesh (loose_tets.h) by faces, each by the shortest way through the
// lattice from where the surface that the mesh carries leads from one piece to another, or from
// anywhere where it leads to none. The new cells are filled as by a strand of cross-section
// `section`, m^2. Pieces that are farther apart than a few cells stay as they are. `points` are the
// vertices of the triangles. Precondition: the mesh is cut from `lattice` and has no loose cells
// (drop_loose_tets).
std::vector<Bridge> bridge_pieces(const BccLattice& lattice,
                                  const std::vector<std::array<std::uint32_t, 3>>& triangles,
                                  double section, TetMesh& mesh,
                                  std::vector<EmbeddedPoint>& points);

}  // namespace sinew::mesh
