// Shape functions of a brick with 8 to 20 nodes: eight corners, and up to twelve nodes in the
// middle of edges. Where all twelve are there this is the 20-node serendipity element. For element
// matrices, free-form deformation and whoever interpolates in a brick.
//
// Source: docs/theory/bricks.md, equations (1)-(3); chen1992 section 3.2, after Bathe.
// Departures: nodes are numbered as in CalculiX's C3D20, so that meshes can be handed over.
//
//   xi = (r, s, t)   natural coordinates, each in [-1, 1]
//   corners 0..7     (-1,-1,-1) (1,-1,-1) (1,1,-1) (-1,1,-1), then the same at t = 1
//   edges 8..19      8..11 round t = -1 from edge 0-1 on, 12..15 round t = 1, 16..19 along t
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/core/vec.h"

namespace sinew::brick {

inline constexpr std::size_t kBrickNodes = 20;
inline constexpr std::uint32_t kNoNode = 0xffffffffU;  // a middle node that an element lacks

using BrickIndices = std::array<std::uint32_t, kBrickNodes>;

// The corners that an edge node lies between, for nodes 8..19.
inline constexpr std::array<std::array<std::uint8_t, 2>, 12> kEdgeCorners = {{{0, 1},
                                                                              {1, 2},
                                                                              {2, 3},
                                                                              {3, 0},
                                                                              {4, 5},
                                                                              {5, 6},
                                                                              {6, 7},
                                                                              {7, 4},
                                                                              {0, 4},
                                                                              {1, 5},
                                                                              {2, 6},
                                                                              {3, 7}}};

// Natural coordinates of the twenty nodes.
const std::array<Vec3d, kBrickNodes>& natural_nodes();

struct ShapeValues {
  std::array<double, kBrickNodes> values{};    // zero for nodes that are not there
  std::array<Vec3d, kBrickNodes> gradients{};  // by r, s and t
};

// Which of the twenty nodes an element has, bit n for node n. The corners are always there.
using NodeSet = std::uint32_t;
inline constexpr NodeSet kAllNodes = 0xfffffU;
NodeSet nodes_of(const BrickIndices& brick);

ShapeValues compute_shape(NodeSet nodes, const Vec3d& xi);

}  // namespace sinew::brick
