#include "sinew/volume/section.h"

#include <algorithm>

#include "sinew/volume/distance_transform.h"

namespace sinew::volume {

std::vector<std::size_t> acquisition_axes(const Grid& grid) {
  constexpr double kStandsOut = 1.2;
  const Vec3d spacing = spacing_of(grid);
  for (std::size_t a = 0; a < 3; ++a) {
    const double others = std::max(spacing[(a + 1) % 3], spacing[(a + 2) % 3]);
    if (spacing[a] > kStandsOut * others) return {a};
  }
  return {0, 1, 2};
}

Window make_window(const Grid& grid, std::size_t axis, const VoxelBox& box) {
  Window window;
  window.axis = axis;
  const std::size_t u = window.u(), v = window.v();
  window.u0 = std::max(box.low[u] - 1, 0);
  window.v0 = std::max(box.low[v] - 1, 0);
  window.nu = std::min(box.high[u] + 2, grid.size[u]) - window.u0;
  window.nv = std::min(box.high[v] + 2, grid.size[v]) - window.v0;
  return window;
}

Index index_in(const Window& window, std::int32_t slice, std::size_t n) {
  Index index{};
  index[window.axis] = slice;
  index[window.u()] =
      window.u0 + static_cast<std::int32_t>(n % static_cast<std::size_t>(window.nu));
  index[window.v()] =
      window.v0 + static_cast<std::int32_t>(n / static_cast<std::size_t>(window.nu));
  return index;
}

std::vector<std::uint8_t> cut_section(const LabelVolume& labels, std::uint16_t label,
                                      const Window& window, std::int32_t slice) {
  std::vector<std::uint8_t> section(window.count());
  for (std::size_t n = 0; n < section.size(); ++n) {
    section[n] = labels.voxels[offset_of(labels.grid, index_in(window, slice, n))] == label;
  }
  return section;
}

std::vector<float> cut_distances(const LabelVolume& labels, std::uint16_t label,
                                 const Window& window, std::int32_t slice) {
  const Vec3d spacing = spacing_of(labels.grid);
  return compute_signed_distances(cut_section(labels, label, window, slice),
                                  {window.nu, window.nv, 1},
                                  {spacing[window.u()], spacing[window.v()], 1});
}

std::vector<VoxelBox> compute_label_boxes(const LabelVolume& labels, const std::vector<Run>& runs) {
  std::vector<VoxelBox> boxes;
  for (const Run& run : runs) {
    if (run.label >= boxes.size()) {
      boxes.resize(std::size_t{run.label} + 1, {labels.grid.size, {-1, -1, -1}});
    }
    VoxelBox& box = boxes[run.label];
    const Index first = index_at(labels.grid, run.begin);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], first[a]);
      box.high[a] = std::max(box.high[a], first[a] + (a == 0 ? run.length - 1 : 0));
    }
  }
  return boxes;
}

}  // namespace sinew::volume
