// Tetrahedral meshes as files of other programs, and what read_tet_mesh reads back.
#pragma once

#include <span>
#include <string>

#include "sinew/mesh/quality.h"

namespace sinew::mesh {

// VTK's .vtu with inline base64 data, positions in m. Throws InputError where the file cannot be
// written or is not called .vtu.
void write_tet_mesh(const std::string& path, std::span<const Vec3d> positions,
                    std::span<const TetNodes> tets);

}  // namespace sinew::mesh
