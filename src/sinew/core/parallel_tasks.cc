#include "sinew/core/parallel_tasks.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {

void parallel_tasks(const std::vector<double>& costs,
                    const std::function<void(std::size_t)>& body) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  std::atomic<std::size_t> next{0};
  const auto threads = static_cast<std::size_t>(std::max(hardware_threads(), 1));
  parallel_for(std::min(threads, costs.size()), 1, [&](std::size_t, std::size_t) {
    for (std::size_t n = next++; n < order.size(); n = next++) body(order[n]);
  });
}

}  // namespace sinew
