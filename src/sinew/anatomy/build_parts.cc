#include "sinew/anatomy/build_parts.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/levelset/csg.h"
#include "sinew/levelset/from_labels.h"
#include "sinew/levelset/from_surface.h"
#include "sinew/volume/crop.h"
#include "sinew/volume/read_volume.h"

namespace sinew::anatomy {
namespace {

void check_present(const volume::LabelVolume& labels, const std::string& path,
                   const ModelSettings& settings) {
  std::vector<char> present(65536, 0);
  for (const std::uint16_t label : labels.voxels) present[label] = 1;
  const auto check = [&](const std::string& part, const PartSource& source) {
    for (const std::uint16_t label : source.labels) {
      if (present[label] != 0) continue;
      throw InputError(path, fmt::format("label {}", label),
                       fmt::format("no voxel has it, but \"{}\" is made of it; correct the model "
                                   "file's table or leave the part out",
                                   part));
    }
  };
  for (const TissueSettings& tissue : settings.tissues) check(tissue.name, tissue.source);
  for (const MuscleSettings& muscle : settings.muscles) check(muscle.name, muscle.source);
}

std::vector<std::uint16_t> bone_labels(const ModelSettings& settings, const EndSettings& end) {
  std::vector<std::uint16_t> labels;
  if (end.kind == EndKind::kSibling) return labels;
  for (const TissueSettings& tissue : settings.tissues) {
    if (std::find(end.bones.begin(), end.bones.end(), tissue.name) == end.bones.end()) continue;
    labels.insert(labels.end(), tissue.source.labels.begin(), tissue.source.labels.end());
  }
  return labels;
}

volume::VoxelBox box_of(const PartSource& source, const std::vector<volume::VoxelBox>& boxes) {
  volume::VoxelBox all = boxes[source.labels.front()];
  for (const std::uint16_t label : source.labels) {
    for (std::size_t a = 0; a < 3; ++a) {
      all.low[a] = std::min(all.low[a], boxes[label].low[a]);
      all.high[a] = std::max(all.high[a], boxes[label].high[a]);
    }
  }
  return all;
}

}  // namespace

volume::LabelVolume read_labels(const ModelSettings& settings) {
  volume::LabelVolume labels = volume::read_label_volume(settings.volume, settings.slice_spacing);
  check_present(labels, settings.volume, settings);
  return labels;
}

volume::RepairReport repair_parts(const ModelSettings& settings, volume::LabelVolume& labels) {
  volume::RepairSettings known;
  known.skip = settings.skip_repairs;
  for (const TissueSettings& tissue : settings.tissues) {
    const auto kind =
        tissue.kind == TissueKind::kBone ? volume::LabelKind::kBone : volume::LabelKind::kOther;
    for (const std::uint16_t label : tissue.source.labels) {
      known.labels.push_back({label, tissue.name, kind});
    }
  }
  for (const MuscleSettings& muscle : settings.muscles) {
    for (const std::uint16_t label : muscle.source.labels) {
      known.labels.push_back({label, muscle.name, volume::LabelKind::kMuscle});
    }
    // A muscle of several labels has its tendons drawn: none is missing.
    if (muscle.source.labels.size() != 1) continue;
    known.muscles.push_back({muscle.source.labels[0], bone_labels(settings, muscle.origin),
                             bone_labels(settings, muscle.insertion)});
  }
  return volume::repair_labels(labels, known);
}

std::vector<volume::VoxelBox> find_label_boxes(const volume::LabelVolume& labels) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<volume::VoxelBox> boxes(65536, {{kMost, kMost, kMost}, {-1, -1, -1}});
  for (const volume::Run& run : volume::find_runs(labels)) {
    volume::VoxelBox& box = boxes[run.label];
    const volume::Index first = volume::index_at(labels.grid, run.begin);
    const volume::Index last = {first[0] + run.length - 1, first[1], first[2]};
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], first[a]);
      box.high[a] = std::max(box.high[a], last[a]);
    }
  }
  return boxes;
}

double count_voxels(const PartSource& source, const std::vector<volume::VoxelBox>& boxes) {
  const volume::VoxelBox box = box_of(source, boxes);
  double count = 1;
  for (std::size_t a = 0; a < 3; ++a) count *= static_cast<double>(box.high[a]) - box.low[a] + 1;
  return count;
}

volume::LabelVolume crop_part(const volume::LabelVolume& labels, const PartSource& source,
                              const std::vector<volume::VoxelBox>& boxes) {
  const volume::VoxelBox box = box_of(source, boxes);
  return volume::crop(labels, box.low, box.high);
}

levelset::LevelSet make_solid(const std::string& part, const PartSource& source, double voxel,
                              double surface_scale, const volume::LabelVolume& labels,
                              std::vector<Repair>& repairs) {
  if (!source.labels.empty()) {
    return levelset::make_level_set(labels, source.labels, voxel, levelset::Finish::kSmooth);
  }
  levelset::LevelSet all(voxel);
  for (const std::string& path : source.surfaces) {
    levelset::SurfaceLevelSet made =
        levelset::make_level_set(mesh::read_surface(path, surface_scale), voxel);
    if (!made.refusal.empty()) throw InputError(path, "", made.refusal);
    for (Repair& repair : made.repairs) {
      repair.part = part;
      repairs.push_back(std::move(repair));
    }
    all = all.is_empty() ? std::move(made.level_set) : levelset::make_union(all, made.level_set);
  }
  return all;
}

}  // namespace sinew::anatomy
