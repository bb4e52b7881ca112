// Index arithmetic of uniform grids: nodes are numbered x fastest, a cell by its lowest node.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sinew/core/vec.h"

namespace sinew::eulerian {

struct Grid {
  Vec3d low{};                 // position of node (0, 0, 0), m
  double spacing = 1;          // m
  std::array<int, 3> nodes{};  // in each direction
};

inline std::uint32_t node_index(const Grid& grid, int i, int j, int k) {
  return static_cast<std::uint32_t>((k * grid.nodes[1] + j) * grid.nodes[0] + i);
}
inline std::array<int, 3> node_place(const Grid& grid, std::uint32_t node) {
  const int n = static_cast<int>(node);
  return {n % grid.nodes[0], n / grid.nodes[0] % grid.nodes[1],
          n / (grid.nodes[0] * grid.nodes[1])};
}
inline Vec3d node_position(const Grid& grid, const std::array<int, 3>& place) {
  return grid.low + grid.spacing * Vec3d{static_cast<double>(place[0]),
                                         static_cast<double>(place[1]),
                                         static_cast<double>(place[2])};
}

}  // namespace sinew::eulerian
