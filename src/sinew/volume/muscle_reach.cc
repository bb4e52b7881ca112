#include "sinew/volume/muscle_reach.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/volume/crop.h"
#include "sinew/volume/distance_transform.h"
#include "sinew/volume/neighborhood.h"
#include "sinew/volume/shortest_path.h"

namespace sinew::volume {
namespace {

constexpr double kTouching = 3e-3;  // m
constexpr double kTouchingSlices = 1.5;
constexpr double kTipLength = 8e-3;   // m, of what gives place and radius
constexpr double kEndLength = 28e-3;  // m, of what gives the direction
constexpr double kShortest = 15e-3;   // m

bool is_touching(const LabelVolume& labels, const Index& index, const std::vector<Index>& ball,
                 std::span<const std::uint16_t> others) {
  for (const Index& move : ball) {
    const Index at = {index[0] + move[0], index[1] + move[1], index[2] + move[2]};
    if (contains(labels.grid, at) && is_among(others, labels.voxels[offset_of(labels.grid, at)])) {
      return true;
    }
  }
  return false;
}

// The part of the label's box that lies within `margin` of the others' boxes.
VoxelBox find_common_box(const Grid& grid, const std::vector<VoxelBox>& boxes, std::uint16_t label,
                         std::span<const std::uint16_t> others, double margin) {
  const Vec3d spacing = spacing_of(grid);
  VoxelBox all{grid.size, {-1, -1, -1}};
  for (const std::uint16_t other : others) {
    if (other >= boxes.size()) continue;
    for (std::size_t a = 0; a < 3; ++a) {
      all.low[a] = std::min(all.low[a], boxes[other].low[a]);
      all.high[a] = std::max(all.high[a], boxes[other].high[a]);
    }
  }
  VoxelBox common = boxes[label];
  for (std::size_t a = 0; a < 3; ++a) {
    const auto more = static_cast<std::int32_t>(std::ceil(margin / spacing[a]));
    common.low[a] = std::max(common.low[a], all.low[a] - more);
    common.high[a] = std::min(common.high[a], all.high[a] + more);
  }
  return common;
}

// Places, m, of the muscle's voxels from which the farthest is at most `back`, m, farther away.
std::vector<Vec3d> collect_end(const Grid& grid, const std::vector<float>& lengths, double longest,
                               double back) {
  std::vector<Vec3d> places;
  for (std::size_t at = 0; at < lengths.size(); ++at) {
    const auto length = static_cast<double>(lengths[at]);
    if (std::isfinite(length) && length >= longest - back) {
      places.push_back(position_of(grid, index_at(grid, at)));
    }
  }
  return places;
}

Vec3d compute_mean(const std::vector<Vec3d>& places) {
  Vec3d sum;
  for (const Vec3d& place : places) sum += place;
  return sum / static_cast<double>(places.size());
}

// Distance between neighbouring voxels' planes at right angles to a direction, m.
double plane_spacing(const Grid& grid, const Vec3d& direction) {
  Vec3d part;
  for (std::size_t a = 0; a < 3; ++a) {
    part[a] = dot(direction, normalized(grid.axes.col(a))) / norm(grid.axes.col(a));
  }
  return 1 / norm(part);
}

// The last kTipLength of the end, cut straight across the direction.
MuscleTip measure_tip(const Grid& grid, const std::vector<Vec3d>& end, const Vec3d& direction) {
  double front = -std::numeric_limits<double>::infinity();
  for (const Vec3d& place : end) front = std::max(front, dot(place, direction));
  std::vector<Vec3d> tip;
  double back = front;
  for (const Vec3d& place : end) {
    const double along = dot(place, direction);
    if (along < front - kTipLength) continue;
    tip.push_back(place);
    back = std::min(back, along);
  }
  const double volume = static_cast<double>(tip.size()) * voxel_volume(grid);
  const double section = volume / (front - back + plane_spacing(grid, direction));
  return {compute_mean(tip), direction, std::sqrt(section / std::numbers::pi), 0};
}

}  // namespace

bool is_among(std::span<const std::uint16_t> labels, std::uint16_t label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

double touching_distance(const Grid& grid) {
  const Vec3d spacing = spacing_of(grid);
  return std::max(kTouching, kTouchingSlices * std::max({spacing.x, spacing.y, spacing.z}));
}

VoxelBox make_voxel_box(const Grid& grid, const Vec3d& place, double distance) {
  const Vec3d spacing = spacing_of(grid);
  const Vec3d middle = index_of(grid, place);
  VoxelBox box{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double reach = distance / spacing[a];
    box.low[a] = std::max(0, static_cast<std::int32_t>(std::floor(middle[a] - reach)));
    box.high[a] =
        std::min(grid.size[a] - 1, static_cast<std::int32_t>(std::ceil(middle[a] + reach)));
  }
  return box;
}

double measure_gap_from(const LabelVolume& labels, const Vec3d& place,
                        std::span<const std::uint16_t> others, double farthest) {
  const VoxelBox box = make_voxel_box(labels.grid, place, farthest);
  double gap = std::numeric_limits<double>::infinity();
  Index index{};
  for (index[2] = box.low[2]; index[2] <= box.high[2]; ++index[2]) {
    for (index[1] = box.low[1]; index[1] <= box.high[1]; ++index[1]) {
      for (index[0] = box.low[0]; index[0] <= box.high[0]; ++index[0]) {
        if (!is_among(others, labels.voxels[offset_of(labels.grid, index)])) continue;
        gap = std::min(gap, norm(position_of(labels.grid, index) - place));
      }
    }
  }
  return gap <= farthest ? gap : std::numeric_limits<double>::infinity();
}

std::vector<std::size_t> find_touching(const LabelVolume& labels,
                                       const std::vector<VoxelBox>& boxes, std::uint16_t label,
                                       std::span<const std::uint16_t> others) {
  const double reach = touching_distance(labels.grid);
  const std::vector<Index> ball = make_ball(labels.grid, reach);
  const VoxelBox box = find_common_box(labels.grid, boxes, label, others, reach);
  std::vector<std::size_t> touching;
  Index index{};
  for (index[2] = box.low[2]; index[2] <= box.high[2]; ++index[2]) {
    for (index[1] = box.low[1]; index[1] <= box.high[1]; ++index[1]) {
      for (index[0] = box.low[0]; index[0] <= box.high[0]; ++index[0]) {
        const std::size_t at = offset_of(labels.grid, index);
        if (labels.voxels[at] == label && has_other_neighbor(labels, index) &&
            is_touching(labels, index, ball, others)) {
          touching.push_back(at);
        }
      }
    }
  }
  return touching;
}

std::optional<MuscleTip> find_tip(const LabelVolume& labels, const VoxelBox& box,
                                  std::uint16_t muscle, const std::vector<std::size_t>& from) {
  const LabelVolume part = crop(labels, box.low, box.high);
  std::vector<float> costs(part.voxels.size());
  std::transform(part.voxels.begin(), part.voxels.end(), costs.begin(),
                 [muscle](std::uint16_t label) { return label == muscle ? 1.0F : 0.0F; });
  std::vector<std::size_t> sources;
  for (const std::size_t at : from) {
    const Index index = index_at(labels.grid, at);
    sources.push_back(offset_of(
        part.grid, {index[0] - box.low[0], index[1] - box.low[1], index[2] - box.low[2]}));
  }
  const std::vector<float> lengths = find_paths(part.grid, costs, sources).lengths;
  double longest = 0;
  for (const float length : lengths) {
    if (std::isfinite(length)) longest = std::max(longest, static_cast<double>(length));
  }
  if (longest < kShortest) return std::nullopt;
  const std::vector<Vec3d> end =
      collect_end(part.grid, lengths, longest, std::min(kEndLength, longest));
  const std::vector<Vec3d> last = collect_end(part.grid, lengths, longest, kTipLength);
  MuscleTip tip = measure_tip(part.grid, end, normalized(compute_mean(last) - compute_mean(end)));
  tip.length = longest;
  return tip;
}

double measure_gap(const LabelVolume& labels, const std::vector<VoxelBox>& boxes,
                   std::uint16_t muscle, std::span<const std::uint16_t> bones, double farthest) {
  const Vec3d spacing = spacing_of(labels.grid);
  VoxelBox box = find_common_box(labels.grid, boxes, muscle, bones, farthest);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto more = static_cast<std::int32_t>(std::ceil(farthest / spacing[a]));
    box.low[a] = std::max(0, box.low[a] - more);
    box.high[a] = std::min(labels.grid.size[a] - 1, box.high[a] + more);
    if (box.high[a] < box.low[a]) return std::numeric_limits<double>::infinity();
  }
  const LabelVolume part = crop(labels, box.low, box.high);
  std::vector<std::uint8_t> mask(part.voxels.size());
  std::transform(part.voxels.begin(), part.voxels.end(), mask.begin(),
                 [bones](std::uint16_t label) -> std::uint8_t { return is_among(bones, label); });
  const std::vector<float> distances = compute_distances(mask, part.grid.size, spacing);
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < mask.size(); ++at) {
    const auto distance = static_cast<double>(distances[at]);
    if (part.voxels[at] == muscle && distance <= farthest) gap = std::min(gap, distance);
  }
  return gap;
}

}  // namespace sinew::volume
