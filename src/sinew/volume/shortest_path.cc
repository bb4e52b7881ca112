#include "sinew/volume/shortest_path.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <queue>

namespace sinew::volume {
namespace {

struct Step {
  Index move;
  float length;
};

std::array<Step, 26> make_steps(const Grid& grid) {
  std::array<Step, 26> steps{};
  std::size_t count = 0;
  for (std::int32_t n = 0; n < 27; ++n) {
    if (n == 13) continue;
    const Index move = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    const Vec3d along = position_of(grid, move) - grid.origin;
    steps[count++] = {move, static_cast<float>(norm(along))};
  }
  return steps;
}

}  // namespace

PathField find_paths(const Grid& grid, const std::vector<float>& costs,
                     const std::vector<std::size_t>& sources) {
  PathField field{std::vector<float>(costs.size(), std::numeric_limits<float>::infinity()),
                  std::vector<std::int32_t>(costs.size(), -1)};
  using Entry = std::pair<float, std::size_t>;  // ties go by offset, so that the result is one
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (const std::size_t at : sources) {
    field.lengths[at] = 0;
    open.emplace(0.0F, at);
  }
  const std::array<Step, 26> steps = make_steps(grid);
  while (!open.empty()) {
    const auto [length, at] = open.top();
    open.pop();
    if (length > field.lengths[at]) continue;
    const Index index = index_at(grid, at);
    for (const Step& step : steps) {
      const Index next = {index[0] + step.move[0], index[1] + step.move[1],
                          index[2] + step.move[2]};
      if (!contains(grid, next)) continue;
      const std::size_t to = offset_of(grid, next);
      if (costs[to] == 0) continue;
      const float longer = length + step.length * 0.5F * (costs[at] + costs[to]);
      if (longer >= field.lengths[to]) continue;
      field.lengths[to] = longer;
      field.came_from[to] = static_cast<std::int32_t>(at);
      open.emplace(longer, to);
    }
  }
  return field;
}

std::vector<std::size_t> trace_path(const PathField& field, std::size_t goal) {
  std::vector<std::size_t> path = {goal};
  while (field.came_from[path.back()] >= 0) {
    path.push_back(static_cast<std::size_t>(field.came_from[path.back()]));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace sinew::volume
