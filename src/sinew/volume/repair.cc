#include "sinew/volume/repair.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/volume/connected_components.h"
#include "sinew/volume/label_kernel.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"

namespace sinew::volume {

namespace {

struct Step {
  std::size_t name;  // into kRepairSteps
  std::vector<Repair> (*run)(LabelVolume& labels, const RepairSettings& settings);
};

constexpr std::array<Step, 8> kOrder = {{{0, remove_islands},
                                         {1, fill_cavities},
                                         {2, bridge_dropped_slices},
                                         {3, return_leaks},
                                         {4, smooth_boundary_noise},
                                         {0, remove_islands},
                                         {1, fill_cavities},
                                         {5, add_missing_tendons}}};

bool are_steps(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return std::find(kRepairSteps.begin(), kRepairSteps.end(), name) != kRepairSteps.end();
  });
}

std::map<std::uint16_t, LabelChange> count_labels(const LabelVolume& labels,
                                                  const RepairSettings& settings) {
  std::map<std::uint16_t, LabelChange> changes;
  for (const Run& run : find_runs(labels)) {
    if (run.label != 0) changes[run.label].before += static_cast<std::size_t>(run.length);
  }
  for (auto& [label, change] : changes) {
    change.label = label;
    change.name = name_of(settings, label);
    change.after = change.before;
  }
  return changes;
}

// No step makes a label that was not there.
void add_changes(const LabelVolume& before, const LabelVolume& after, std::size_t step,
                 std::map<std::uint16_t, LabelChange>& changes) {
  for (std::size_t at = 0; at < after.voxels.size(); ++at) {
    const std::uint16_t from = before.voxels[at], to = after.voxels[at];
    if (from == to) continue;
    if (from != 0) {
      LabelChange& change = changes.at(from);
      ++change.taken[step];
      --change.after;
    }
    if (to != 0) {
      LabelChange& change = changes.at(to);
      ++change.given[step];
      ++change.after;
    }
  }
}

}  // namespace

std::string name_of(const RepairSettings& settings, std::uint16_t label) {
  for (const LabelSettings& named : settings.labels) {
    if (named.label == label) return named.name;
  }
  return label == 0 ? std::string() : fmt::format("label {}", label);
}

RepairReport repair_labels(LabelVolume& labels, const RepairSettings& settings) {
  SINEW_CHECK(are_steps(settings.skip), "only steps of the repair can be left out");
  SINEW_CHECK(labels.voxels.size() == num_voxels(labels.grid), "a label a voxel is needed");
  if (labels.voxels.empty()) return {};
  SINEW_CHECK(voxel_volume(labels.grid) > 0, "the axes of the image have to span space");
  if (std::find(labels.voxels.begin(), labels.voxels.end(), kUnknownLabel) != labels.voxels.end()) {
    throw InputError("label volume", "",
                     fmt::format("found label {0}, which the repair needs for itself; allowed are "
                                 "0 to {1}: give that label another number",
                                 kUnknownLabel, kUnknownLabel - 1));
  }
  RepairReport report;
  std::map<std::uint16_t, LabelChange> changes = count_labels(labels, settings);
  for (const auto& [step, run] : kOrder) {
    const auto& skip = settings.skip;
    if (std::find(skip.begin(), skip.end(), kRepairSteps[step]) != skip.end()) continue;
    const LabelVolume before = labels;
    const std::vector<Repair> done = run(labels, settings);
    if (done.empty()) continue;
    report.repairs.insert(report.repairs.end(), done.begin(), done.end());
    add_changes(before, labels, step, changes);
  }
  for (auto& [label, change] : changes) report.labels.push_back(std::move(change));
  return report;
}

}  // namespace sinew::volume
