#include "sinew/volume/resample.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/volume/volume_header.h"

namespace sinew::volume {
namespace {

// How far, in voxels, a place may be off a voxel's border or the last cube's by rounding alone.
constexpr double kRounding = 1e-9;

// Fills the grid with sample(index in the source, between voxels).
template <class Sample>
LabelVolume sample_grid(const Grid& source, const Grid& grid, const Sample& sample) {
  LabelVolume result{grid, std::vector<std::uint16_t>(num_voxels(grid))};
  const Mat3d steps = inverse(source.axes) * grid.axes;
  const Vec3d start = index_of(source, grid.origin);
  const auto rows = static_cast<std::size_t>(grid.size[1]) * static_cast<std::size_t>(grid.size[2]);
  parallel_for(rows, 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t first = row * static_cast<std::size_t>(grid.size[0]);
      const Index at = index_at(grid, first);
      const Vec3d row_start = start + steps.col(1) * static_cast<double>(at[1]) +
                              steps.col(2) * static_cast<double>(at[2]);
      for (std::int32_t i = 0; i < grid.size[0]; ++i) {
        result.voxels[first + static_cast<std::size_t>(i)] =
            sample(row_start + steps.col(0) * static_cast<double>(i));
      }
    }
  });
  return result;
}

// Whether a place is so near to the source that its index can be rounded to whole numbers.
bool is_near(const Grid& source, const Vec3d& place) {
  return place.x > -1 && place.y > -1 && place.z > -1 && place.x < source.size[0] &&
         place.y < source.size[1] && place.z < source.size[2];
}

// The whole number at or below x, rounding forgiven. Precondition: x > -1, so that a cast will do.
std::int32_t round_down(double x) {
  return static_cast<std::int32_t>(x + (1 + kRounding)) - 1;
}

std::uint16_t label_at(const LabelVolume& source, const Index& index) {
  return contains(source.grid, index) ? source.voxels[offset_of(source.grid, index)]
                                      : std::uint16_t{0};
}

std::uint16_t find_nearest(const LabelVolume& source, const Vec3d& place) {
  if (!is_near(source.grid, place)) return 0;
  return label_at(
      source, {round_down(place.x + 0.5), round_down(place.y + 0.5), round_down(place.z + 0.5)});
}

using Corners =
    std::array<std::uint16_t, 8>;  // corner c is up along axis a where bit a of c is set

Corners labels_around(const LabelVolume& source, const Index& low) {
  Corners labels{};
  const Grid& grid = source.grid;
  const Index high = {low[0] + 1, low[1] + 1, low[2] + 1};
  if (contains(grid, low) && contains(grid, high)) {
    const std::uint16_t* first = source.voxels.data() + offset_of(grid, low);
    const auto row = static_cast<std::size_t>(grid.size[0]);
    const std::size_t slice = row * static_cast<std::size_t>(grid.size[1]);
    return {first[0],     first[1],         first[row],         first[row + 1],
            first[slice], first[slice + 1], first[slice + row], first[slice + row + 1]};
  }
  for (std::size_t c = 0; c < 8; ++c) {
    labels[c] =
        label_at(source, {(c & 1U) != 0 ? high[0] : low[0], (c & 2U) != 0 ? high[1] : low[1],
                          (c & 4U) != 0 ? high[2] : low[2]});
  }
  return labels;
}

// `part` is how far the place is above the low corner, 0 to 1 along each axis.
std::uint16_t weigh(const Corners& labels, const Vec3d& part) {
  std::array<double, 8> weights{};
  for (std::size_t c = 0; c < 8; ++c) {
    weights[c] = 1;
    for (std::size_t a = 0; a < 3; ++a) weights[c] *= ((c >> a) & 1U) != 0 ? part[a] : 1 - part[a];
  }
  std::size_t best = 0;
  double most = 0;
  for (std::size_t c = 0; c < 8; ++c) {
    double weight = 0;
    for (std::size_t d = 0; d < 8; ++d) weight += labels[d] == labels[c] ? weights[d] : 0;
    if (weight <= most + kRounding) continue;
    most = weight;
    best = c;
  }
  return labels[best];
}

std::uint16_t find_heaviest(const LabelVolume& source, const Vec3d& place) {
  if (!is_near(source.grid, place)) return 0;
  const Index low = {round_down(place.x), round_down(place.y), round_down(place.z)};
  const Corners labels = labels_around(source, low);
  // Nearly every voxel of a scan is inside a tissue or in the background.
  if (std::ranges::all_of(labels, [&](std::uint16_t label) { return label == labels[0]; })) {
    return labels[0];
  }
  Vec3d part;
  for (std::size_t a = 0; a < 3; ++a) part[a] = std::max(place[a] - low[a], 0.0);
  return weigh(labels, part);
}

}  // namespace

LabelVolume resample(const LabelVolume& source, const Grid& grid) {
  return sample_grid(source.grid, grid,
                     [&](const Vec3d& place) { return find_nearest(source, place); });
}

LabelVolume resample_by_weight(const LabelVolume& source, const Grid& grid) {
  return sample_grid(source.grid, grid,
                     [&](const Vec3d& place) { return find_heaviest(source, place); });
}

Grid make_axis_aligned_grid(const Grid& source, double voxel) {
  SINEW_CHECK(voxel > 0, "cubes have an edge");
  Vec3d low, high;
  for (std::size_t d = 0; d < 3; ++d) {
    // Voxel borders lie at -1/2 and size - 1/2 of each axis; each adds to one side of the box.
    low[d] = high[d] = source.origin[d];
    for (std::size_t a = 0; a < 3; ++a) {
      const double first = -0.5 * source.axes(d, a);
      const double last = (static_cast<double>(source.size[a]) - 0.5) * source.axes(d, a);
      low[d] += std::min(first, last);
      high[d] += std::max(first, last);
    }
  }
  Grid grid;
  grid.axes = Mat3d::diagonal({voxel, voxel, voxel});
  grid.origin = low + Vec3d{voxel, voxel, voxel} * 0.5;
  std::vector<long long> sizes;
  for (std::size_t d = 0; d < 3; ++d) {
    const double cubes = std::ceil((high[d] - low[d]) / voxel - kRounding * source.size[d]);
    sizes.push_back(static_cast<long long>(std::clamp(cubes, 1.0, 1e15)));
  }
  grid.size = check_size("volume", fmt::format("voxels of {:.3g} mm", voxel * 1e3), sizes);
  return grid;
}

}  // namespace sinew::volume
