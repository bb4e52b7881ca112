// The outer surface of a tetrahedral mesh: what is drawn, exported and collides where a body has no
// finer surface of its own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

struct Boundary {
  Surface surface;                   // triangles outward, vertices in the order of their nodes
  std::vector<std::uint32_t> nodes;  // (num_vertices) increasing: the mesh node of each vertex
  // Edges of more than two triangles: the mesh touches itself there. Zero: check_closed holds.
  std::size_t num_pinched_edges = 0;
};

// Precondition: tets have positive volume, and find_bad_face finds nothing.
Boundary extract_boundary(std::span<const Vec3d> positions,
                          std::span<const std::array<std::uint32_t, 4>> tets);

// Two tetrahedra that lie on the same side of one face: they overlap, or one is given twice.
struct BadFace {
  std::array<std::uint32_t, 3> nodes;
  std::uint32_t first_tet, second_tet;
};
std::optional<BadFace> find_bad_face(std::span<const std::array<std::uint32_t, 4>> tets);

}  // namespace sinew::mesh
