// The solids of a model, one a part: read, repaired, made level sets, freed of
// overlaps. Steps of build_model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/model_settings.h"
#include "sinew/core/repair.h"
#include "sinew/levelset/level_set.h"
#include "sinew/volume/connected_components.h"
#include "sinew/volume/image.h"
#include "sinew/volume/repair.h"

namespace sinew::anatomy {

// The label volume of the settings. Throws InputError where a label that a part
// names is not in it.
volume::LabelVolume read_labels(const ModelSettings& settings);

// Mends the labels as the settings know them.
volume::RepairReport repair_parts(const ModelSettings& settings, volume::LabelVolume& labels);

// The box of each label that occurs, by label; empty ones have high < low.
std::vector<volume::VoxelBox> find_label_boxes(const volume::LabelVolume& labels);

// The voxels around a part's labels alone: what its solid is made from.
volume::LabelVolume crop_part(const volume::LabelVolume& labels, const PartSource& source,
                              const std::vector<volume::VoxelBox>& boxes);

// How many these are: what making its solid costs.
double count_voxels(const PartSource& source, const std::vector<volume::VoxelBox>& boxes);

// A part's solid, before its neighbours are looked at; `voxel` and `surface_scale` as in
// ModelSettings, `labels` what crop_part returned where the source names labels. Throws InputError
// where a file cannot be read or a surface cannot be mended.
levelset::LevelSet make_solid(const std::string& part, const PartSource& source, double voxel,
                              double surface_scale, const volume::LabelVolume& labels,
                              std::vector<Repair>& repairs);

}  // namespace sinew::anatomy
