// Slices in which a label is missing.
#include <algorithm>
#include <map>

#include "sinew/volume/distance_transform.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"
#include "sinew/volume/section.h"

namespace sinew::volume {
namespace {

// Of the sections on both sides: less is a gap. Noise leaves a few voxels of a dropped slice; half
// a section, as below a waist, is a shape.
constexpr double kMissing = 0.25;
constexpr double kWidestGap = 0.012;  // m
constexpr std::int32_t kFewSlices = 4;
constexpr double kLeastSection = 8;  // voxels of the sections beside a gap

struct Gap {
  std::uint16_t label;
  std::int32_t first, last;  // slices in which it is missing
};

// Voxels of each label in each slice across an axis, [label][slice].
std::vector<std::vector<double>> count_sections(const LabelVolume& labels,
                                                const std::vector<Run>& runs, std::size_t axis,
                                                std::size_t num_labels) {
  std::vector<std::vector<double>> areas(
      num_labels, std::vector<double>(static_cast<std::size_t>(labels.grid.size[axis])));
  for (const Run& run : runs) {
    if (run.label == 0) continue;
    const auto first = static_cast<std::size_t>(index_at(labels.grid, run.begin)[axis]);
    std::vector<double>& area = areas[run.label];
    if (axis != 0) {
      area[first] += run.length;
      continue;
    }
    for (std::size_t n = 0; n < static_cast<std::size_t>(run.length); ++n) area[first + n] += 1;
  }
  return areas;
}

// The gap that begins at slice s, of the least length that the sections on both sides bear out.
bool find_gap(const std::vector<double>& area, std::size_t s, std::size_t widest, Gap& gap) {
  const double before = area[s - 1];
  if (before < kLeastSection) return false;
  double most = 0;
  for (std::size_t e = s; e + 1 < area.size() && e < s + widest; ++e) {
    most = std::max(most, area[e]);
    const double beside = std::min(before, area[e + 1]);
    if (most >= kMissing * before) return false;
    if (beside < kLeastSection || most >= kMissing * beside) continue;
    gap.first = static_cast<std::int32_t>(s);
    gap.last = static_cast<std::int32_t>(e);
    return true;
  }
  return false;
}

std::vector<Gap> find_gaps(const std::vector<std::vector<double>>& areas, double spacing) {
  const auto widest = static_cast<std::size_t>(
      std::max(static_cast<std::int32_t>(kWidestGap / spacing), kFewSlices));
  std::vector<Gap> gaps;
  for (std::size_t label = 1; label < areas.size(); ++label) {
    for (std::size_t s = 1; s + 1 < areas[label].size(); ++s) {
      Gap gap{static_cast<std::uint16_t>(label), 0, 0};
      if (!find_gap(areas[label], s, widest, gap)) continue;
      gaps.push_back(gap);
      s = static_cast<std::size_t>(gap.last);
    }
  }
  return gaps;
}

struct Claim {
  float depth;  // signed distance to the outline, m
  std::uint16_t label;
};

// Adds what the gap's label claims of each slice, where it goes deeper than other claims.
void claim_voxels(const LabelVolume& labels, const Gap& gap, const Window& window,
                  std::map<std::size_t, Claim>& claims) {
  const std::vector<float> before = cut_distances(labels, gap.label, window, gap.first - 1);
  const std::vector<float> after = cut_distances(labels, gap.label, window, gap.last + 1);
  const auto steps = static_cast<float>(gap.last - gap.first + 2);
  for (std::int32_t s = gap.first; s <= gap.last; ++s) {
    // Whole weights: the same from either side.
    const auto w0 = static_cast<float>(gap.last + 1 - s);
    const auto w1 = static_cast<float>(s - gap.first + 1);
    for (std::size_t n = 0; n < window.count(); ++n) {
      const float depth = (w0 * before[n] + w1 * after[n]) / steps;
      const std::size_t at = offset_of(labels.grid, index_in(window, s, n));
      if (depth > 0 || labels.voxels[at] != 0) continue;
      const auto [claim, is_new] = claims.try_emplace(at, Claim{depth, gap.label});
      if (!is_new && depth < claim->second.depth) claim->second = {depth, gap.label};
    }
  }
}

void bridge_across(LabelVolume& labels, const std::vector<Run>& runs,
                   const RepairSettings& settings, std::size_t axis, std::vector<Repair>& repairs) {
  const std::vector<VoxelBox> boxes = compute_label_boxes(labels, runs);
  const std::vector<Gap> gaps =
      find_gaps(count_sections(labels, runs, axis, boxes.size()), spacing_of(labels.grid)[axis]);
  std::map<std::size_t, Claim> claims;
  for (const Gap& gap : gaps) {
    claim_voxels(labels, gap, make_window(labels.grid, axis, boxes[gap.label]), claims);
  }
  std::vector<ChangedVoxels> changed(gaps.size());
  for (const auto& [at, claim] : claims) {
    const Index index = index_at(labels.grid, at);
    labels.voxels[at] = claim.label;
    for (std::size_t g = 0; g < gaps.size(); ++g) {
      if (gaps[g].label == claim.label && gaps[g].first <= index[axis] &&
          index[axis] <= gaps[g].last) {
        changed[g].add(index);
      }
    }
  }
  for (std::size_t g = 0; g < gaps.size(); ++g) {
    if (changed[g].count() == 0) continue;
    repairs.push_back(changed[g].make_repair(labels.grid, "dropped slices",
                                             name_of(settings, gaps[g].label), {}));
  }
}

}  // namespace

std::vector<Repair> bridge_dropped_slices(LabelVolume& labels, const RepairSettings& settings) {
  std::vector<Repair> repairs;
  const std::vector<Run> runs = find_runs(labels);
  for (const std::size_t axis : acquisition_axes(labels.grid)) {
    bridge_across(labels, runs, settings, axis, repairs);
  }
  return repairs;
}

}  // namespace sinew::volume
