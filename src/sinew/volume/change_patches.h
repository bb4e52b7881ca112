// Flat patches across which one label changes into another between two slices. For finding leaks.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/section.h"

namespace sinew::volume {

// Where voxels are `from` in slice `slice` - 1 and `to` in slice `slice`.
struct ChangePatch {
  std::uint16_t from, to;
  std::int32_t slice;
  std::vector<std::size_t> places;  // of the window, sorted
  std::vector<std::size_t> core;    // those with few others within 1.5 mm, sorted; not empty
};

// Patches between labels (not background) whose core is 5 mm^2 or more and three times as large as
// that of the same change in the slices before and after, in the order of slices. `whole` is the
// window of all of a slice.
std::vector<ChangePatch> find_change_patches(const LabelVolume& labels, const Window& whole);

}  // namespace sinew::volume
