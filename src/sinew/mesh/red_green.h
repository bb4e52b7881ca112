// A lattice refined where a rule asks for it, without hanging nodes: red cells are halved along all
// edges into eight of the same shape, green cells join them to coarser neighbours. For the
// conforming mesher, which cuts the shape out of it.
//
// Source: Molino, Bridson, Teran and Fedkiw, "A crystalline, red green strategy for meshing highly
// deformable objects with tetrahedra" (2003); teran2005 section 3.2.
// A red tetrahedron has its two long edges between its nodes 0, 1 and 2, 3. Cutting the inner
// octahedron along the diagonal between the middles of the long edges makes every child a
// tetrahedron of the lattice of half the spacing. A green one has one edge halved, two opposite
// edges, or the three edges of one face; any other pattern becomes red.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/quality.h"

namespace sinew::mesh {

inline constexpr int kMostLevels = 3;

// Whether a cell with these corners, halved `level` times so far, is to be halved again. Called
// from several threads.
using RefineRule = std::function<bool(const TetCorners& corners, int level)>;

// All volumes are positive. Preconditions: 0 <= levels <= kMostLevels; the lattice has fewer than
// 2^17 cubes along each axis.
PlainMesh make_red_green_mesh(const BccLattice& lattice, const std::vector<LatticeTet>& coarse,
                              int levels, const RefineRule& rule);

}  // namespace sinew::mesh
