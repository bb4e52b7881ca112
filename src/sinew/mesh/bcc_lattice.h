// The body-centred cubic lattice: cubes with a node at each corner and one at each centre, and the
// tetrahedra between them, all of one shape in 12 orientations. For meshing and for finding points.
//
// Source: docs/theory/finite_volumes.md, section 2; teran2005 section 6.
// A tetrahedron belongs to a face between two neighbouring cubes: it joins their two centres with
// one edge of that face. Face axis (3) times edge (4) are the 12 orientations.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

inline constexpr int kNumOrientations = 12;

using Cell = std::array<std::int32_t, 3>;

// A node by its place: the lower corner of cube `cell`, or its centre.
struct LatticeNode {
  Cell cell;
  bool centre;
  friend bool operator==(const LatticeNode&, const LatticeNode&) = default;
  friend bool operator<(const LatticeNode& a, const LatticeNode& b) {
    return std::tie(a.cell, a.centre) < std::tie(b.cell, b.centre);
  }
};

// A tetrahedron by its place: the face between `cell` and the next cube along axis
// orientation / 4, and the edge orientation % 4 of that face.
struct LatticeTet {
  Cell cell;
  int orientation;
};

struct BccLattice {
  Vec3d origin;    // lower corner of cube (0, 0, 0), m
  double spacing;  // edge of a cube, m
  Cell cells;      // number of cubes along each axis
};

// A lattice of the given spacing over the box, with `margin` cubes around it, laid evenly about the
// box's centre, so that symmetric bodies get symmetric meshes.
BccLattice make_lattice(const Bounds& box, double spacing, int margin);

Vec3d position(const BccLattice& lattice, const LatticeNode& node);

// The nodes of a tetrahedron, ordered so that its volume is positive.
std::array<LatticeNode, 4> nodes_of(const LatticeTet& tet);

// Edge vectors D_m of an orientation on a lattice of spacing 1: columns X_1 - X_0, X_2 - X_0, ...
Mat3d edge_matrix(int orientation);

// The tetrahedron that holds a point (on a border: one of them).
LatticeTet find_tet(const BccLattice& lattice, const Vec3d& x);

// A number for a tetrahedron, unique in the lattice.
std::uint64_t key_of(const BccLattice& lattice, const LatticeTet& tet);

}  // namespace sinew::mesh
