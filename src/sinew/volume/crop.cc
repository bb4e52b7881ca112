#include "sinew/volume/crop.h"

#include <algorithm>
#include <limits>

#include "sinew/core/error.h"

namespace sinew::volume {

LabelVolume crop(const LabelVolume& volume, const Index& low, const Index& high) {
  LabelVolume part;
  Index first{}, last{};  // of the source, what both have in common
  for (std::size_t a = 0; a < 3; ++a) {
    SINEW_CHECK(low[a] <= high[a], "a crop has at least one voxel");
    part.grid.size[a] = high[a] - low[a] + 1;
    first[a] = std::max(low[a], 0);
    last[a] = std::min(high[a], volume.grid.size[a] - 1);
  }
  part.grid.axes = volume.grid.axes;
  part.grid.origin = position_of(volume.grid, low);
  part.voxels.resize(num_voxels(part.grid));
  if (first[0] > last[0]) return part;
  const auto length = static_cast<std::size_t>(last[0]) - static_cast<std::size_t>(first[0]) + 1;
  for (std::int32_t k = first[2]; k <= last[2]; ++k) {
    for (std::int32_t j = first[1]; j <= last[1]; ++j) {
      const std::size_t from = offset_of(volume.grid, {first[0], j, k});
      const std::size_t to = offset_of(part.grid, {first[0] - low[0], j - low[1], k - low[2]});
      std::copy_n(volume.voxels.data() + from, length, part.voxels.data() + to);
    }
  }
  return part;
}

VoxelBox find_labelled_box(const LabelVolume& volume) {
  const Grid& grid = volume.grid;
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  VoxelBox box{{kMost, kMost, kMost}, {-1, -1, -1}};
  const auto row = static_cast<std::size_t>(grid.size[0]);
  const auto is_label = [](std::uint16_t label) { return label != 0; };
  for (std::size_t begin = 0; begin < volume.voxels.size(); begin += row) {
    const auto* data = volume.voxels.data() + begin;
    const auto* first = std::find_if(data, data + row, is_label);
    if (first == data + row) continue;
    const auto* last = data + row - 1;
    while (*last == 0) --last;
    const Index low = index_at(grid, static_cast<std::size_t>(first - volume.voxels.data()));
    const Index high = index_at(grid, static_cast<std::size_t>(last - volume.voxels.data()));
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], low[a]);
      box.high[a] = std::max(box.high[a], high[a]);
    }
  }
  return box;
}

LabelVolume crop_to_labels(const LabelVolume& volume, std::int32_t margin) {
  VoxelBox box = find_labelled_box(volume);
  if (box.high[0] < box.low[0]) {
    throw InputError("label volume", "", "no voxel has a label; there is nothing to crop to");
  }
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] -= margin;
    box.high[a] += margin;
  }
  return crop(volume, box.low, box.high);
}

}  // namespace sinew::volume
