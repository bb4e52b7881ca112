// A tetrahedral mesh as the engines use it, and how one is cut from a lattice.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// Nodes of a lattice mesh stand in the two-sublattice order: all corners, then all centres, each by
// rows (z, y, x), so that neighbours along x are neighbours in memory.
struct TetMesh {
  std::vector<Vec3d> rest_positions;               // (num_nodes) m
  std::vector<std::array<std::uint32_t, 4>> tets;  // (num_tets) positive volume at rest
  std::vector<double> fill;                        // (num_tets) part inside the body, in (0, 1]
  std::vector<std::uint8_t> orientation;           // (num_tets) of its D_m in `edge_matrices`
  std::vector<Mat3d> edge_matrices;                // (12) D_m on this lattice, m
  std::uint32_t num_corners = 0;                   // nodes [0, num_corners) are lattice corners
};

// A mesh and where its tetrahedra are in the lattice, for finding points.
struct LatticeMesh {
  TetMesh mesh;
  BccLattice lattice;
  std::vector<std::uint64_t> keys;  // (num_tets) increasing: key_of each tetrahedron
};

// Every tetrahedron of the lattice that the shape reaches into. Precondition: shape is bounded.
// Empty where the shape is too thin for the spacing.
LatticeMesh make_lattice_mesh(const Shape& shape, double spacing);

// Index of the tetrahedron with this key; keys.size() where the mesh does not have it.
std::size_t find_key(const LatticeMesh& mesh, std::uint64_t key);

}  // namespace sinew::mesh
