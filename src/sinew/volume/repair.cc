#include "sinew/volume/repair.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/volume/label_kernel.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"

namespace sinew::volume {

std::string name_of(const RepairSettings& settings, std::uint16_t label) {
  for (const LabelSettings& named : settings.labels) {
    if (named.label == label) return named.name;
  }
  return label == 0 ? std::string() : fmt::format("label {}", label);
}

std::vector<Repair> repair_labels(LabelVolume& labels, const RepairSettings& settings) {
  SINEW_CHECK(labels.voxels.size() == num_voxels(labels.grid), "a label a voxel is needed");
  if (labels.voxels.empty()) return {};
  SINEW_CHECK(voxel_volume(labels.grid) > 0, "the axes of the image have to span space");
  if (std::find(labels.voxels.begin(), labels.voxels.end(), kUnknownLabel) != labels.voxels.end()) {
    throw InputError("label volume", "",
                     fmt::format("found label {0}, which the repair needs for itself; allowed are "
                                 "0 to {1}: give that label another number",
                                 kUnknownLabel, kUnknownLabel - 1));
  }
  std::vector<Repair> repairs;
  for (const auto step :
       {remove_islands, fill_cavities, bridge_dropped_slices, return_leaks, smooth_boundary_noise,
        remove_islands, fill_cavities, add_missing_tendons}) {
    const std::vector<Repair> done = step(labels, settings);
    repairs.insert(repairs.end(), done.begin(), done.end());
  }
  return repairs;
}

}  // namespace sinew::volume
