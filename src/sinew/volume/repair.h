// Repair of label volumes, as hand-made segmentations need it: islands, cavities, dropped slices,
// leaks between neighbours, noise at boundaries, missing tendons. For whoever builds a model from a
// scan; every threshold is a length or a volume, or comes from the scan itself, so that one set of
// rules serves any spacing, and a healthy volume comes out as it went in.
//
// The steps run in this order, because each needs what the ones before it mend: islands, cavities,
// dropped slices, leaks, noise, islands and cavities again (noise may have hidden some), tendons.
// Axes may be oblique; distances take them as orthogonal, as scanners' axes are.
#pragma once

#include <cstdint>
#include <string>
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

struct RepairSettings {
  std::vector<LabelSettings> labels;  // a label without a name is repaired too
  std::vector<MuscleEnds> muscles;
};

// Mends `labels` in place and lists what was done, in the order in which it was done. The result
// does not depend on the number of threads. A repair that guesses (a leak, a tendon) asks for a
// look with `warn`. Throws InputError where a voxel has label 65535, std::logic_error where the
// grid and the voxels disagree.
std::vector<Repair> repair_labels(LabelVolume& labels, const RepairSettings& settings);

}  // namespace sinew::volume
