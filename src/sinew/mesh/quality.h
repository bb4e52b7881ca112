// How good the shape of a tetrahedron is: dihedral angles and aspect. For the mesher, which
// improves them, and for the reports that print them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::mesh {

using TetNodes = std::array<std::uint32_t, 4>;
using TetCorners = std::array<Vec3d, 4>;

// A mesh on its way through the mesher.
struct PlainMesh {
  std::vector<Vec3d> positions;  // (num_nodes) m
  std::vector<TetNodes> tets;    // (num_tets)
};

inline TetCorners corners_of(std::span<const Vec3d> positions, const TetNodes& tet) {
  return {positions[tet[0]], positions[tet[1]], positions[tet[2]], positions[tet[3]]};
}

// m^3, negative where the tetrahedron is inverted.
double compute_volume(const TetCorners& corners);

// Smallest and largest of the six dihedral angles, rad, in [0, pi]. A tetrahedron with a face of no
// area has 0 and pi.
struct DihedralRange {
  double smallest, largest;
};
DihedralRange compute_dihedral_range(const TetCorners& corners);

// Longest edge over the radius of the inscribed sphere, 1 for the regular tetrahedron, infinite for
// a flat one.
double compute_aspect(const TetCorners& corners);

struct QualityReport {
  DihedralRange dihedral{0, 0};  // rad, over all tetrahedra
  double worst_aspect = 0;       // largest
  double volume = 0;             // m^3, signed sum
  std::size_t num_inverted = 0;  // tetrahedra without positive volume
};
QualityReport compute_quality(std::span<const Vec3d> positions, std::span<const TetNodes> tets);

// Pieces that hang together by shared nodes.
std::size_t count_components(std::size_t num_nodes, std::span<const TetNodes> tets);

}  // namespace sinew::mesh
