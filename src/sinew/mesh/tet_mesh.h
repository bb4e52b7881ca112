// A tetrahedral mesh as the engines use it, and how one is cut from a lattice.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// Nodes of a lattice mesh stand in the two-sublattice order: all corners, then all centres, each by
// rows (z, y, x), so that neighbours along x are neighbours in memory; copies of a node, which only
// a split lattice has, stand together.
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
  // (num_tets) key_of each tetrahedron, increasing; copies of a cell (split_lattice.h) repeat it.
  std::vector<std::uint64_t> keys;
};

// Every tetrahedron of the lattice that the shape reaches into. Precondition: shape is bounded.
// Empty where the shape is too thin for the spacing.
LatticeMesh make_lattice_mesh(const Shape& shape, double spacing);

// The middle of a tetrahedron, m.
Vec3d compute_middle(std::span<const Vec3d> positions, const std::array<std::uint32_t, 4>& tet);

// The order of nodes: corners before centres, each by rows.
bool node_before(const LatticeNode& a, const LatticeNode& b);

// Index of the first of these sorted keys that equals `key`; keys.size() where none does.
std::size_t find_key(const std::vector<std::uint64_t>& keys, std::uint64_t key);

}  // namespace sinew::mesh
