// Triangle surfaces as plain data, and how they are read. For bodies, colliders and exporters.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::mesh {

struct Bounds {
  Vec3d low, high;  // m
};

struct Surface {
  std::vector<Vec3d> positions;                         // (num_vertices) m
  std::vector<std::array<std::uint32_t, 3>> triangles;  // outward by the right-hand rule
};

// Reads .obj, .off, .stl (text or binary; equal vertices are welded), .vtp, cylindrical range scans
// (.range) and stacks of contours (.contours), times `scale` to metres.
// Throws InputError with file and line (or byte) where the file is damaged or not a surface.
Surface read_surface(const std::string& path, double scale);

// Throws InputError naming `path` unless every edge is shared by exactly two triangles that run
// along it in opposite directions, and the enclosed volume is positive.
void check_closed(const Surface& surface, const std::string& path);

// Signed volume enclosed, m^3: positive where triangles face outward.
double compute_volume(const Surface& surface);

Bounds compute_bounds(const std::vector<Vec3d>& positions);

}  // namespace sinew::mesh
