// Repair of label volumes, as hand-made segmentations need it: islands, cavities, dropped slices,
// leaks between neighbours, noise at boundaries, missing tendons. For whoever builds a model from a
// scan; every threshold is a length or a volume, or comes from the scan itself, so that one set of
// rules serves any spacing, and a healthy volume comes out as it went in.
//
// The steps run in this order, because each needs what the ones before it mend: islands, cavities,
// dropped slices, leaks, noise, islands and cavities again (noise may have hidden some), tendons.
// Axes may be oblique; distances take them as orthogonal, as scanners' axes are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/repair.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

enum class LabelKind { kBone, kMuscle, kOther };

struct LabelSettings {
  std::uint16_t label;
  std::string name;
  LabelKind kind = LabelKind::kOther;
};

// Bones that a muscle must reach; an empty list asks for nothing at that end.
struct MuscleEnds {
  std::uint16_t muscle;
  std::vector<std::uint16_t> origin, insertion;  // labels of bones, any of which will do
};

// What the steps are called, in the order in which they begin.
inline constexpr std::array<std::string_view, 6> kRepairSteps = {
    "islands", "cavities", "dropped_slices", "leaks", "noise", "tendons"};

struct RepairSettings {
  std::vector<LabelSettings> labels;  // a label without a name is repaired too
  std::vector<MuscleEnds> muscles;
  std::vector<std::string> skip = {};  // of kRepairSteps: steps that are left out
};

// What repair did to a label, in voxels.
struct LabelChange {
  std::uint16_t label = 0;
  std::string name;  // "label 17" where the settings do not name it
  std::size_t before = 0, after = 0;
  std::array<std::size_t, kRepairSteps.size()> taken{}, given{};  // by step

  // Part of the label that it gained, negative where it lost.
  double change() const { return static_cast<double>(after) / static_cast<double>(before) - 1; }
};

// A label that changes by more than this part of it is worth a look.
inline constexpr double kNotableChange = 0.02;

struct RepairReport {
  std::vector<Repair> repairs;      // in the order in which they were done
  std::vector<LabelChange> labels;  // of all labels but the background, increasing
};

// Mends `labels` in place. The result does not depend on the number of threads. A repair that
// guesses (a leak, a tendon) asks for a look with `warn`. Throws InputError where a voxel has label
// 65535, std::logic_error where the grid and the voxels disagree or a name of `skip` is no step's.
RepairReport repair_labels(LabelVolume& labels, const RepairSettings& settings);

}  // namespace sinew::volume
