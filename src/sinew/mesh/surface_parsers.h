// What the readers of surfaces share: polygons cut into triangles, and the parsers that have files
// of their own. For read_surface.cc.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh/file_bytes.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// Cuts a polygon into a fan, leaving out triangles that name a vertex twice.
void add_polygon(Surface& surface, const std::vector<std::uint32_t>& corners);

// VTK's XML files of polygons and triangle strips.
Surface parse_vtp(const FileBytes& file);

// Cylindrical range scans and stacks of contours: closed surfaces.
Surface parse_range_scan(const FileBytes& file);
Surface parse_contours(const FileBytes& file);

// Triangles between two closed rings of vertices that run counter-clockwise seen from above, from
// the first vertex of each to the same part of their lengths. Precondition: at least one vertex
// each.
void add_band(Surface& surface, const std::vector<std::uint32_t>& lower,
              const std::vector<std::uint32_t>& upper);
// A fan from a new vertex at `middle` (m) that closes a ring from above or from below.
void add_cap(Surface& surface, const std::vector<std::uint32_t>& ring, const Vec3d& middle,
             bool is_top);

}  // namespace sinew::mesh
