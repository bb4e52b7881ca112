// Whether the boundary of a cut mesh is a surface at a node that was pulled onto the contour: the
// guard of make_stuffed_mesh, without which sheets closer than a cell grow together at points and
// edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/mesh/node_stars.h"
#include "sinew/mesh/quality.h"

namespace sinew::mesh {

enum class Side : std::uint8_t { kInside, kOn, kOutside };  // of the zero contour

// The material at node `n`, which is on the contour, meets a small sphere about it in one disc (the
// boundary is a surface there) or in the whole sphere (no boundary left).
bool is_surface_at(std::uint32_t n, const NodeStars& stars, std::span<const TetNodes> tets,
                   std::span<const Side> sides);

}  // namespace sinew::mesh
