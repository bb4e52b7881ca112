// Users' own tetrahedral meshes: Gmsh (.msh 2.2 and 4.1, text or binary), VTK (.vtu) and TetGen
// (.node with .ele). What comes back is fit to simulate: every check that the engines rely on has
// been made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::mesh {

struct TetMeshFile {
  std::vector<Vec3d> rest_positions;               // (num_nodes) m, each used by a tetrahedron
  std::vector<std::array<std::uint32_t, 4>> tets;  // (num_tets) positive volume
  // Physical group, cell data "region" or first attribute of each tetrahedron; empty where the file
  // has none, 0 for a tetrahedron without.
  std::vector<std::int32_t> regions;                 // (num_tets) or empty
  std::map<std::int32_t, std::string> region_names;  // of the regions that have one

  std::size_t num_dropped_nodes = 0;     // nodes that no tetrahedron uses
  std::size_t num_turned_tets = 0;       // were given with negative volume
  std::size_t num_skipped_elements = 0;  // points, lines, triangles and quadrilaterals
};

// Positions are multiplied by `scale` to metres. For TetGen `path` is either file of the pair; the
// other has the same name with the other ending. Throws InputError with file and line (byte,
// element) where the file is damaged, holds cells that are not linear tetrahedra, or its
// tetrahedra are degenerate, repeated or overlap at a face. Precondition: scale > 0.
TetMeshFile read_tet_mesh(const std::string& path, double scale);

}  // namespace sinew::mesh
