// Holes inside a label.
#include <algorithm>
#include <array>
#include <map>

#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"

namespace sinew::volume {
namespace {

constexpr double kLargestHole = 500e-9;  // m^3: the canal of a bone is larger
constexpr double kSureHole = 8e-9;       // m^3
constexpr double kSureShare = 0.9;       // of the surroundings, from that size on

// The label that surrounds a hole, 0 where no label does enough. Precondition: the hole does not
// touch the image's border.
std::uint16_t find_owner(const LabelVolume& labels, std::span<const Run> hole, double volume) {
  const auto row = static_cast<std::size_t>(labels.grid.size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(labels.grid.size[1]);
  std::map<std::uint16_t, std::size_t> faces;
  std::size_t all = 0;
  const auto look = [&](std::size_t at) {
    const std::uint16_t label = labels.voxels[at];
    if (label == 0) return;
    ++faces[label];
    ++all;
  };
  for (const Run& run : hole) {
    const std::size_t end = run.begin + static_cast<std::size_t>(run.length);
    look(run.begin - 1);
    look(end);
    for (std::size_t at = run.begin; at < end; ++at) {
      look(at - row), look(at + row), look(at - slice), look(at + slice);
    }
  }
  const double share = volume < kSureHole ? 1.0 : kSureShare;
  for (const auto& [label, count] : faces) {
    if (static_cast<double>(count) >= share * static_cast<double>(all)) return label;
  }
  return 0;
}

// Closes necks: background voxels that one label holds from two opposite sides, and from a third.
LabelVolume close_necks(const LabelVolume& labels) {
  const Index& size = labels.grid.size;
  const auto row = static_cast<std::size_t>(size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(size[1]);
  LabelVolume sealed = labels;
  for (std::int32_t k = 1; k + 1 < size[2]; ++k) {
    for (std::int32_t j = 1; j + 1 < size[1]; ++j) {
      for (std::int32_t i = 1; i + 1 < size[0]; ++i) {
        const std::size_t at = offset_of(labels.grid, {i, j, k});
        if (labels.voxels[at] != 0) continue;
        const std::array<std::uint16_t, 6> around = {
            labels.voxels[at - 1],   labels.voxels[at + 1],     labels.voxels[at - row],
            labels.voxels[at + row], labels.voxels[at - slice], labels.voxels[at + slice]};
        for (std::size_t side = 0; side < 6; side += 2) {
          const std::uint16_t label = around[side];
          if (label == 0 || label != around[side + 1]) continue;
          if (std::count(around.begin(), around.end(), label) < 3) continue;
          sealed.voxels[at] = label;
          break;
        }
      }
    }
  }
  return sealed;
}

// Fills the holes that `sealed` shows, from `least` on, in `labels`.
void fill_holes(const LabelVolume& sealed, double least, LabelVolume& labels,
                const RepairSettings& settings, std::vector<Repair>& repairs) {
  const Components components = find_components(sealed);
  for (std::size_t c = 0; c < components.items.size(); ++c) {
    const Component& hole = components.items[c];
    const double volume = static_cast<double>(hole.voxels) * voxel_volume(labels.grid);
    if (hole.label != 0 || hole.at_border || volume < least || volume > kLargestHole) continue;
    const std::uint16_t owner = find_owner(sealed, components.runs_of(c), volume);
    if (owner == 0) continue;
    ChangedVoxels changed;
    for (const Run& run : components.runs_of(c)) {
      for (std::size_t n = 0; n < static_cast<std::size_t>(run.length); ++n) {
        labels.voxels[run.begin + n] = owner;
        changed.add(index_at(labels.grid, run.begin + n));
      }
    }
    repairs.push_back(changed.make_repair(labels.grid, "cavity", name_of(settings, owner), {}));
  }
}

}  // namespace

std::vector<Repair> fill_cavities(LabelVolume& labels, const RepairSettings& settings) {
  std::vector<Repair> repairs;
  fill_holes(labels, 0, labels, settings, repairs);
  fill_holes(close_necks(labels), kSureHole, labels, settings, repairs);
  // What is left of a hole whose neck was closed is now a hole of its own.
  fill_holes(labels, 0, labels, settings, repairs);
  return repairs;
}

}  // namespace sinew::volume
