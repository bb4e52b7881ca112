// What the readers of surfaces share: polygons cut into triangles, and the parsers that have files
// of their own. For read_surface.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// Cuts a polygon into a fan, leaving out triangles that name a vertex twice.
void add_polygon(Surface& surface, const std::vector<std::uint32_t>& corners);

// VTK's XML files of polygons and triangle strips.
Surface parse_vtp(const FileBytes& file);

}  // namespace sinew::mesh
