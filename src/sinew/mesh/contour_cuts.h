// Where the zero contour cuts the edges of a background mesh, once the nodes that it passes too
// close have been pulled onto it. The first half of make_stuffed_mesh; stuffing.h names the source.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sinew/mesh/contour_link.h"
#include "sinew/mesh/red_green.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

inline constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

struct ContourCut {
  std::uint32_t a, b;  // a < b: the ends of the edge, one inside and one outside
  Vec3d position;      // m, on the contour
};

struct CutBackground {
  std::vector<Vec3d> positions;  // (num_nodes) m
  std::vector<Side> sides;       // (num_nodes)
  std::vector<TetNodes> tets;    // those with a node inside
  std::vector<ContourCut> cuts;  // of all their edges from inside to outside, by (a, b)
};

CutBackground cut_background(const Shape& shape, PlainMesh background);

}  // namespace sinew::mesh
