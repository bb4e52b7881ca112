// What the readers of tetrahedral meshes share: the contents of a file as it says them, one parser
// a format, and the checks that make a TetMeshFile of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/read_tet_mesh.h"

namespace sinew::mesh {

// Indices are in range; nothing else is promised.
struct RawTetMesh {
  std::vector<Vec3d> positions;  // m
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<std::int64_t> labels;  // (num_tets) the number of each element in the file
  std::vector<std::int32_t> regions;
  std::map<std::int32_t, std::string> region_names;
  std::size_t num_skipped_elements = 0;
};

RawTetMesh parse_gmsh(const FileBytes& file);
RawTetMesh parse_vtu(const FileBytes& file);
RawTetMesh parse_tetgen(const FileBytes& node_file, const FileBytes& ele_file);

// `path` is for messages.
TetMeshFile check_tet_mesh(RawTetMesh raw, const std::string& path);

}  // namespace sinew::mesh
