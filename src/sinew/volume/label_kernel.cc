#include "sinew/volume/label_kernel.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sinew::volume {
namespace {

constexpr std::array<float, 4> kByDistance = {0.0F, 1.0F, 0.3F, 0.1F};

}  // namespace

Vote count_votes(const LabelVolume& labels, const Index& center) {
  std::array<std::uint16_t, 27> seen{};
  std::array<float, 27> sums{};
  std::size_t kinds = 0;
  for (std::int32_t n = 0; n < 27; ++n) {
    const Index step = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    if (n == 13) continue;  // the centre
    Index at{};
    for (std::size_t a = 0; a < 3; ++a) {
      at[a] = std::clamp(center[a] + step[a], 0, labels.grid.size[a] - 1);
    }
    const std::uint16_t label = labels.voxels[offset_of(labels.grid, at)];
    if (label == kUnknownLabel) continue;
    std::size_t kind = 0;
    while (kind < kinds && seen[kind] != label) ++kind;
    if (kind == kinds) seen[kinds++] = label;
    const int steps = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
    sums[kind] += kByDistance[static_cast<std::size_t>(steps)];
  }
  Vote vote;
  const std::uint16_t own = labels.voxels[offset_of(labels.grid, center)];
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (seen[kind] == own) vote.own = sums[kind];
    if (sums[kind] > vote.weight || (sums[kind] == vote.weight && seen[kind] < vote.best)) {
      vote.best = seen[kind];
      vote.weight = sums[kind];
    }
  }
  return vote;
}

}  // namespace sinew::volume
