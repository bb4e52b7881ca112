// The mesh of a TetSpecimen: a square prism of tetrahedra along x from 0 to its length, and at each
// end four slender tetrahedra that act as strings of tendon.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/read_tet_mesh.h"

namespace sinew::lab {

struct TetPrism {
  mesh::TetMeshFile mesh;
  std::size_t num_belly_tets = 0;  // the first ones; strings come after
  // Of the belly, by sections from x = 0 on, four corners each.
  std::vector<std::array<std::uint32_t, 4>> sections;
  std::array<std::vector<std::uint32_t>, 2> clamps;  // the held ends of the strings
};

// `boxes` >= 1 of six tetrahedra each along x. A string's apex is a corner of an end; its base
// stands `string` (m) farther out and has the part of `area` (m^2) that the corner has of the end.
TetPrism make_tet_prism(double length, double area, int boxes, double string);

}  // namespace sinew::lab
