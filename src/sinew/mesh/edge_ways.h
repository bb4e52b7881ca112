// Lengths of ways along the edges of tetrahedra: how far a node is from others within a body. For
// lines through muscles and for guesses of how tissue follows its ends.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::mesh {

class EdgeGraph {
 public:
  // Nodes of `tets` count from `first`: the graph has positions.size() of them.
  EdgeGraph(std::span<const Vec3d> positions, std::span<const std::array<std::uint32_t, 4>> tets,
            std::uint32_t first);

  // Shortest way from any of `start` (counted as `tets` count) to each node, m; infinite where
  // there is none (Dijkstra 1959).
  std::vector<double> measure_ways(std::span<const std::uint32_t> start) const;

 private:
  std::span<const Vec3d> positions_;
  std::uint32_t first_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

}  // namespace sinew::mesh
