#include "sinew/mesh/edge_ways.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace sinew::mesh {

EdgeGraph::EdgeGraph(std::span<const Vec3d> positions,
                     std::span<const std::array<std::uint32_t, 4>> tets, std::uint32_t first)
    : positions_(positions), first_(first), neighbours_(positions.size()) {
  for (const auto& tet : tets)
    for (const std::uint32_t a : tet)
      for (const std::uint32_t b : tet)
        if (a != b) neighbours_[a - first].push_back(b - first);
  for (auto& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

std::vector<double> EdgeGraph::measure_ways(std::span<const std::uint32_t> start) const {
  std::vector<double> ways(positions_.size(), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::uint32_t n : start) {
    ways[n - first_] = 0;
    queue.emplace(0, n - first_);
  }
  while (!queue.empty()) {
    const auto [way, n] = queue.top();
    queue.pop();
    if (way > ways[n]) continue;
    for (const std::uint32_t m : neighbours_[n]) {
      const double next = way + norm(positions_[m] - positions_[n]);
      if (next >= ways[m]) continue;
      ways[m] = next;
      queue.emplace(next, m);
    }
  }
  return ways;
}

}  // namespace sinew::mesh
