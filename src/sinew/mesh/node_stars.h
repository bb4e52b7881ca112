// The tetrahedra at each node of a mesh, for whoever walks from a node to its neighbours.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sinew/mesh/quality.h"

namespace sinew::mesh {

class NodeStars {
 public:
  NodeStars(std::size_t num_nodes, std::span<const TetNodes> tets)
      : first_(num_nodes + 1), tets_(4 * tets.size()) {
    for (const TetNodes& tet : tets) {
      for (const std::uint32_t n : tet) ++first_[n + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t t = 0; t < tets.size(); ++t) {
      for (const std::uint32_t n : tets[t]) tets_[next[n]++] = static_cast<std::uint32_t>(t);
    }
  }

  // Indices of the tetrahedra, increasing.
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(tets_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  std::vector<std::uint32_t> first_;  // (num_nodes + 1) where each node's row begins
  std::vector<std::uint32_t> tets_;   // (4 num_tets)
};

}  // namespace sinew::mesh
