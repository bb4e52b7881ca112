#include "sinew/volume/refine_slices.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/volume/distance_transform.h"
#include "sinew/volume/section.h"

namespace sinew::volume {
namespace {

// Of two labels that are equally deep the one of the nearer slice wins, by this much, m.
constexpr float kTie = 1e-9F;

struct Plan {
  std::size_t axis;
  std::int32_t parts;   // of the old spacing
  std::int32_t margin;  // new slices before the first old one and after the last
  Grid grid;            // of the new volume
};

Plan make_plan(const Grid& source) {
  const Vec3d spacing = spacing_of(source);
  Plan plan{0, 1, 0, source};
  for (std::size_t a = 1; a < 3; ++a) plan.axis = spacing[a] > spacing[plan.axis] ? a : plan.axis;
  const double next = std::max(spacing[(plan.axis + 1) % 3], spacing[(plan.axis + 2) % 3]);
  plan.parts = static_cast<std::int32_t>(std::lround(spacing[plan.axis] / next));
  // Old slices reach half their spacing to both sides.
  plan.margin = (plan.parts - 1) / 2;
  Vec3d& step = plan.grid.axes.col(plan.axis);
  step = step / static_cast<double>(plan.parts);
  plan.grid.origin -= step * static_cast<double>(plan.margin);
  plan.grid.size[plan.axis] = (source.size[plan.axis] - 1) * plan.parts + 1 + 2 * plan.margin;
  return plan;
}

// Repeats the old slice k on the new slices first to last.
void copy_slice(const LabelVolume& source, const Plan& plan, std::int32_t k, std::int32_t first,
                std::int32_t last, LabelVolume& result) {
  const Index& size = source.grid.size;
  const Window window{plan.axis, 0, 0, size[(plan.axis + 1) % 3], size[(plan.axis + 2) % 3]};
  for (std::size_t n = 0; n < window.count(); ++n) {
    const std::uint16_t label = source.voxels[offset_of(source.grid, index_in(window, k, n))];
    for (std::int32_t s = first; s <= last; ++s)
      result.voxels[offset_of(plan.grid, index_in(window, s, n))] = label;
  }
}

// Distances to the outline itself, which lies half a voxel from the centres that cut_distances
// measures to; without that the interpolated outline would cling to the nearer slice.
std::vector<float> cut_outline(const LabelVolume& source, std::uint16_t label, const Window& window,
                               std::int32_t slice) {
  std::vector<float> distances = cut_distances(source, label, window, slice);
  const Vec3d spacing = spacing_of(source.grid);
  const auto half = static_cast<float>(0.5 * std::min(spacing[window.u()], spacing[window.v()]));
  for (float& d : distances) d += d < 0 ? half : -half;
  return distances;
}

// How deep voxels are in labels between the old slices k and k + 1, new slice by new slice.
struct Depths {
  std::vector<std::vector<float>> deepest;  // [part - 1][voxel of the slice], m, negative inside
};

void add_label(const LabelVolume& source, const Plan& plan, std::uint16_t label,
               const Window& window, std::int32_t k, Depths& depths, LabelVolume& result) {
  const std::vector<float> before = cut_outline(source, label, window, k);
  const std::vector<float> after = cut_outline(source, label, window, k + 1);
  bool overlap = false;
  for (std::size_t n = 0; n < window.count(); ++n) overlap |= before[n] < 0 && after[n] < 0;
  const auto row = static_cast<std::size_t>(source.grid.size[window.u()]);
  for (std::int32_t part = 1; part < plan.parts; ++part) {
    const float w = static_cast<float>(part) / static_cast<float>(plan.parts);
    const std::vector<float>& nearer = 2 * part <= plan.parts ? before : after;
    const std::int32_t slice = plan.margin + k * plan.parts + part;
    for (std::size_t n = 0; n < window.count(); ++n) {
      const float tie = nearer[n] < 0 ? kTie : 0;
      const float depth = (overlap ? (1 - w) * before[n] + w * after[n] : nearer[n]) - tie;
      const Index at = index_in(window, slice, n);
      const std::size_t in_slice =
          static_cast<std::size_t>(at[window.u()]) + row * static_cast<std::size_t>(at[window.v()]);
      float& deepest = depths.deepest[static_cast<std::size_t>(part - 1)][in_slice];
      if (!(depth < deepest)) continue;
      deepest = depth;
      result.voxels[offset_of(plan.grid, at)] = label;
    }
  }
}

void fill_between(const LabelVolume& source, const Plan& plan, const std::vector<VoxelBox>& boxes,
                  std::int32_t k, LabelVolume& result) {
  const Index& size = source.grid.size;
  const auto count = static_cast<std::size_t>(size[(plan.axis + 1) % 3]) *
                     static_cast<std::size_t>(size[(plan.axis + 2) % 3]);
  Depths depths{std::vector<std::vector<float>>(static_cast<std::size_t>(plan.parts - 1),
                                                std::vector<float>(count, 0.0F))};
  for (std::size_t label = 1; label < boxes.size(); ++label) {
    const VoxelBox& box = boxes[label];
    if (box.high[plan.axis] < std::max(k, box.low[plan.axis]) || box.low[plan.axis] > k + 1) {
      continue;
    }
    add_label(source, plan, static_cast<std::uint16_t>(label),
              make_window(source.grid, plan.axis, box), k, depths, result);
  }
}

}  // namespace

LabelVolume refine_slices(const LabelVolume& source) {
  const Plan plan = make_plan(source.grid);
  if (plan.parts < 2) return source;
  LabelVolume result{plan.grid, std::vector<std::uint16_t>(num_voxels(plan.grid))};
  const std::vector<VoxelBox> boxes = compute_label_boxes(source, find_runs(source));
  const std::int32_t last = source.grid.size[plan.axis] - 1;
  parallel_for(static_cast<std::size_t>(last) + 1, 1, [&](std::size_t begin, std::size_t end) {
    for (auto k = static_cast<std::int32_t>(begin); k < static_cast<std::int32_t>(end); ++k) {
      const std::int32_t here = plan.margin + k * plan.parts;
      copy_slice(source, plan, k, k == 0 ? 0 : here, k == last ? here + plan.margin : here, result);
      if (k < last) fill_between(source, plan, boxes, k, result);
    }
  });
  return result;
}

}  // namespace sinew::volume
