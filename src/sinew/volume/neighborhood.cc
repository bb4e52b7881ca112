#include "sinew/volume/neighborhood.h"

#include <algorithm>

#include "sinew/volume/distance_transform.h"

namespace sinew::volume {

std::vector<Index> make_ball(const Grid& grid, double radius) {
  const Vec3d spacing = spacing_of(grid);
  Index reach{};
  for (std::size_t a = 0; a < 3; ++a) reach[a] = static_cast<std::int32_t>(radius / spacing[a]);
  std::vector<std::pair<double, Index>> moves;
  for (std::int32_t k = -reach[2]; k <= reach[2]; ++k) {
    for (std::int32_t j = -reach[1]; j <= reach[1]; ++j) {
      for (std::int32_t i = -reach[0]; i <= reach[0]; ++i) {
        const Index move = {i, j, k};
        const double length = norm(position_of(grid, move) - grid.origin);
        if (length > 0 && length <= radius) moves.emplace_back(length, move);
      }
    }
  }
  std::sort(moves.begin(), moves.end());
  std::vector<Index> ball;
  ball.reserve(moves.size());
  for (const auto& [length, move] : moves) ball.push_back(move);
  return ball;
}

bool has_other_neighbor(const LabelVolume& labels, const Index& index) {
  const std::size_t at = offset_of(labels.grid, index);
  const std::uint16_t label = labels.voxels[at];
  std::size_t stride = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (index[a] > 0 && labels.voxels[at - stride] != label) return true;
    if (index[a] + 1 < labels.grid.size[a] && labels.voxels[at + stride] != label) return true;
    stride *= static_cast<std::size_t>(labels.grid.size[a]);
  }
  return false;
}

}  // namespace sinew::volume
