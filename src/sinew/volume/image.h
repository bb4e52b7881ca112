// Regular images in space: label volumes of a scan and sampled fields. For readers, repair, level
// sets and everything that asks for a value at a point.
//
// Lengths are metres. Volumes of scans are in the patient's frame LPS: +x to the left, +y to the
// back, +z to the head.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::volume {

using Index = std::array<std::int32_t, 3>;  // of a voxel along i, j, k

struct Grid {
  Index size{};                    // voxels along i, j, k
  Vec3d origin;                    // centre of voxel (0, 0, 0), m
  Mat3d axes = Mat3d::identity();  // column a: from a voxel to its neighbour along axis a, m
};

// Values of a grid's voxels, i runs fastest: voxels[i + size[0] * (j + size[1] * k)].
template <class T>
struct Image {
  Grid grid;
  std::vector<T> voxels;
};

using LabelVolume = Image<std::uint16_t>;  // 0 is background
using Field = Image<float>;                // such as a signed distance, m, negative inside

inline std::size_t num_voxels(const Grid& grid) {
  return static_cast<std::size_t>(grid.size[0]) * static_cast<std::size_t>(grid.size[1]) *
         static_cast<std::size_t>(grid.size[2]);
}

// Precondition: contains(grid, index).
inline std::size_t offset_of(const Grid& grid, const Index& index) {
  const auto i = static_cast<std::size_t>(index[0]);
  const auto j = static_cast<std::size_t>(index[1]);
  const auto k = static_cast<std::size_t>(index[2]);
  return i +
         static_cast<std::size_t>(grid.size[0]) * (j + static_cast<std::size_t>(grid.size[1]) * k);
}

inline Index index_at(const Grid& grid, std::size_t offset) {
  const auto row = static_cast<std::size_t>(grid.size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(grid.size[1]);
  return {static_cast<std::int32_t>(offset % row), static_cast<std::int32_t>(offset % slice / row),
          static_cast<std::int32_t>(offset / slice)};
}

inline bool contains(const Grid& grid, const Index& index) {
  return index[0] >= 0 && index[1] >= 0 && index[2] >= 0 && index[0] < grid.size[0] &&
         index[1] < grid.size[1] && index[2] < grid.size[2];
}

// Place of a voxel's centre; `index` may lie between voxels.
inline Vec3d position_of(const Grid& grid, const Vec3d& index) {
  return grid.origin + grid.axes * index;
}
inline Vec3d position_of(const Grid& grid, const Index& index) {
  return position_of(grid, Vec3d{static_cast<double>(index[0]), static_cast<double>(index[1]),
                                 static_cast<double>(index[2])});
}

// The inverse of position_of. Precondition: the axes span space.
inline Vec3d index_of(const Grid& grid, const Vec3d& position) {
  return inverse(grid.axes) * (position - grid.origin);
}

// Volume of a voxel, m^3.
inline double voxel_volume(const Grid& grid) {
  return std::abs(determinant(grid.axes));
}

}  // namespace sinew::volume
