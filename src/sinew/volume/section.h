// Plane sections of a label across any axis of the image, and the shape between two of them by
// interpolating their signed distances. For repairs that work slice by slice.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/connected_components.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

// Axes across which a scan may have been cut: the one with the coarsest spacing, or all where none
// stands out by a fifth.
std::vector<std::size_t> acquisition_axes(const Grid& grid);

// A rectangle of voxels in slices across `axis`; u is the next axis in cyclic order, v the one
// after. Values of a rectangle are stored with u fastest.
struct Window {
  std::size_t axis = 2;
  std::int32_t u0 = 0, v0 = 0;  // first voxel
  std::int32_t nu = 0, nv = 0;  // counts
  std::size_t u() const { return (axis + 1) % 3; }
  std::size_t v() const { return (axis + 2) % 3; }
  std::size_t count() const { return static_cast<std::size_t>(nu) * static_cast<std::size_t>(nv); }
};

// The smallest window that holds the box, and one voxel more on each side where there is one.
Window make_window(const Grid& grid, std::size_t axis, const VoxelBox& box);

// The index of value n of the window in a slice.
Index index_in(const Window& window, std::int32_t slice, std::size_t n);

// 1 where the voxel has the label.
std::vector<std::uint8_t> cut_section(const LabelVolume& labels, std::uint16_t label,
                                      const Window& window, std::int32_t slice);

// Signed distance in the plane to the label's outline, m, negative inside.
std::vector<float> cut_distances(const LabelVolume& labels, std::uint16_t label,
                                 const Window& window, std::int32_t slice);

// Boxes of all labels, indexed by label up to the largest there is.
std::vector<VoxelBox> compute_label_boxes(const LabelVolume& labels, const std::vector<Run>& runs);

}  // namespace sinew::volume
