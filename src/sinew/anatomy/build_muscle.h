// One muscle from its solid: ends, tissue, fibres, lattice and embedded
// surface. A step of build_model.
#pragma once

#include <optional>
#include <span>

#include "sinew/anatomy/bone_contact.h"
#include "sinew/anatomy/build_report.h"
#include "sinew/anatomy/model.h"
#include "sinew/levelset/level_set.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

struct MuscleInput {
  const MuscleSettings& settings;
  const levelset::LevelSet& solid;
  double cell;                        // m
  std::span<const NamedSolid> bones;  // at least those that the ends name
  std::span<const NamedSolid> siblings;
  const volume::LabelVolume* labels;  // where tendon is known by label; may be null
  double surface_scale;               // metres a unit of surface files
  bool make_mesh;                     // a conforming mesh too
};

struct BuiltMuscle {
  Muscle muscle;
  MuscleReport report;
  std::optional<mesh::ConformingMesh> mesh;
};

// Throws std::invalid_argument where the muscle cannot be built, InputError
// where a file cannot be read. Precondition: the solid is not empty.
BuiltMuscle build_muscle(const MuscleInput& input);

}  // namespace sinew::anatomy
