#include "sinew/volume/leak_evidence.h"

#include <algorithm>

namespace sinew::volume {
namespace {

// The first section of a round process (an ellipsoid) is 2.15 times as large as what the next one
// adds where four slices show it, and less where more do; in three slices it is 2.9 times: there
// a process and a prism cannot be told apart.
constexpr std::int32_t kLeastSlices = 4;
constexpr double kStandsOut = 2.5;   // times what changes between any other two of the slices
constexpr std::int32_t kBeside = 3;  // slices before and after, in which nothing like it happens
constexpr double kEvenness = 0.5;    // smallest to largest section, the mean patch among them

// The smallest window that holds the leak's voxels.
Window bound_voxels(const Grid& grid, std::size_t axis, const std::vector<std::size_t>& voxels) {
  const Index first = index_at(grid, voxels.front());
  VoxelBox box{first, first};
  for (const std::size_t at : voxels) {
    const Index index = index_at(grid, at);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], index[a]);
      box.high[a] = std::max(box.high[a], index[a]);
    }
  }
  return make_window(grid, axis, box);
}

// Voxels of the window that are `from` in slice s - 1 and `to` in slice s.
double count_changes(const LabelVolume& labels, const Window& window, std::int32_t s,
                     std::uint16_t from, std::uint16_t to) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < window.count(); ++n) {
    count += labels.voxels[offset_of(labels.grid, index_in(window, s - 1, n))] == from &&
                     labels.voxels[offset_of(labels.grid, index_in(window, s, n))] == to
                 ? 1U
                 : 0U;
  }
  return static_cast<double>(count);
}

bool is_even(const Grid& grid, const Leak& leak, std::size_t axis,
             const std::vector<std::size_t>& voxels) {
  std::vector<std::size_t> sections(static_cast<std::size_t>(leak.last - leak.first) + 1);
  for (const std::size_t at : voxels) {
    ++sections[static_cast<std::size_t>(index_at(grid, at)[axis] - leak.first)];
  }
  // What a boundary that runs aslant adds to the patch at one end it takes from the other.
  sections.push_back((leak.start.size() + leak.end.size()) / 2);
  const auto [least, most] = std::minmax_element(sections.begin(), sections.end());
  return static_cast<double>(*least) >= kEvenness * static_cast<double>(*most);
}

bool begins_and_ends_at_once(const LabelVolume& labels, const Leak& leak, const Window& window) {
  const std::int32_t low = std::max(leak.first - kBeside, 1);
  const std::int32_t high = std::min(leak.last + 1 + kBeside, labels.grid.size[window.axis] - 1);
  const auto start = static_cast<double>(leak.start.size());
  const auto end = static_cast<double>(leak.end.size());
  for (std::int32_t s = low; s <= high; ++s) {
    if (s == leak.first || s == leak.last + 1) continue;
    if (kStandsOut * count_changes(labels, window, s, leak.from, leak.to) > start ||
        kStandsOut * count_changes(labels, window, s, leak.to, leak.from) > end) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_shown(const LabelVolume& labels, const Leak& leak, std::size_t axis,
              const std::vector<std::size_t>& voxels) {
  if (leak.last - leak.first + 1 < kLeastSlices || voxels.empty()) return false;
  return is_even(labels.grid, leak, axis, voxels) &&
         begins_and_ends_at_once(labels, leak, bound_voxels(labels.grid, axis, voxels));
}

}  // namespace sinew::volume
