// From a model file's settings to a model: volume or surfaces, repair, level
// sets, overlaps, ends, tendons, fibres, lattices (teran2005 sections 3 and 6,
// without handwork). For `sinew build`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/build_report.h"
#include "sinew/anatomy/model.h"
#include "sinew/anatomy/model_settings.h"
#include "sinew/mesh/conforming_mesh.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

struct BuildProgress {
  std::string stage;        // such as "level sets"
  std::size_t done, total;  // parts of it
};
// Called from any thread, one call at a time.
using OnBuildProgress = std::function<void(const BuildProgress&)>;

struct BuildResult {
  Model model;
  BuildReport report;
  std::optional<volume::LabelVolume> repaired;  // where the labels were changed
  std::vector<mesh::ConformingMesh> meshes;     // (num_muscles of the model) where asked for
};

// A muscle that cannot be built is left out and reported. Throws InputError
// where a file cannot be read, a label is nowhere in the volume, or a surface
// cannot be mended; std::invalid_argument where a joint is far off its bones.
BuildResult build_model(const ModelSettings& settings, const OnBuildProgress& on_progress);

}  // namespace sinew::anatomy
