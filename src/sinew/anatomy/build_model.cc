#include "sinew/anatomy/build_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/anatomy/build_muscle.h"
#include "sinew/anatomy/build_parts.h"
#include "sinew/anatomy/joint_places.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel_tasks.h"
#include "sinew/core/stopwatch.h"
#include "sinew/levelset/csg.h"
#include "sinew/levelset/resolve_overlaps.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::anatomy {
namespace {

using levelset::LevelSet;
using levelset::OverlapPart;
using levelset::TissueRank;

constexpr double kSurfaceCell = 1.5;  // voxels a cell of a bone's surface
// Fat fills the whole limb and is only looked at: coarser voxels save most of the time.
constexpr double kFatVoxel = 2;

TissueRank rank_of(TissueKind kind) {
  if (kind == TissueKind::kBone) return TissueRank::kBone;
  return kind == TissueKind::kFat ? TissueRank::kFat : TissueRank::kLigament;
}

constexpr double kAllowedCrumbs = 0.005;  // of a muscle's volume, in pieces that were dropped
constexpr double kWorstResidual = 1e-5;   // of the flow that lays the fibres, relative

class Builder {
 public:
  Builder(const ModelSettings& settings, const OnBuildProgress& on_progress)
      : settings_(settings), on_progress_(on_progress) {}

  BuildResult build() {
    if (!settings_.volume.empty()) {
      run("volume", [&] { read_volume(); });
    }
    run("level sets", [&] { make_solids(); });
    run("overlaps", [&] { resolve(); });
    run("bones", [&] { make_tissues(); });
    check_joints();
    run("muscles", [&] { make_muscles(); });
    result_.model.name = settings_.name;
    result_.model.joints = settings_.joints;
    add_warnings();
    return std::move(result_);
  }

 private:
  template <class Work>
  void run(const char* stage, const Work& work) {
    stage_ = stage;
    double milliseconds = 0;
    {
      const Stopwatch watch(milliseconds);
      work();
    }
    result_.report.stages.push_back({stage, milliseconds / 1000});
  }

  // Calls work(i) for each part, on several threads, and tells how many are done.
  template <class Work>
  void for_each(const std::vector<double>& costs, const Work& work) {
    std::mutex mutex;
    std::size_t done = 0;
    parallel_tasks(costs, [&](std::size_t i) {
      work(i);
      const std::lock_guard lock(mutex);
      on_progress_({stage_, ++done, costs.size()});
    });
  }

  // Voxels around the solids of parts from `begin` on: what most steps take time for.
  std::vector<double> measure_parts(std::size_t begin, std::size_t count) const {
    std::vector<double> costs;
    for (std::size_t i = begin; i < begin + count; ++i) {
      costs.push_back(static_cast<double>(num_voxels(
          levelset::make_grid(parts_[i].level_set.inside_box(), parts_[i].level_set.voxel()))));
    }
    return costs;
  }

  std::size_t num_tissues() const { return settings_.tissues.size(); }

  void read_volume() {
    labels_ = read_labels(settings_);
    result_.report.label_voxel = volume::voxel_volume(labels_->grid);
    label_counts_.assign(65536, 0);
    for (const std::uint16_t label : labels_->voxels) label_counts_[label] += 1;
    if (!settings_.repair) return;
    volume::RepairReport repair = repair_parts(settings_, *labels_);
    if (!repair.repairs.empty()) result_.repaired = labels_;
    result_.report.repairs = std::move(repair.repairs);
    result_.report.labels = std::move(repair.labels);
  }

  const PartSource& source_of(std::size_t part) const {
    return part < num_tissues() ? settings_.tissues[part].source
                                : settings_.muscles[part - num_tissues()].source;
  }

  // Voxels around the labels of each part; the same for all that come from surfaces.
  std::vector<double> measure_sources(const std::vector<volume::VoxelBox>& boxes) const {
    std::vector<double> costs;
    for (std::size_t i = 0; i < num_tissues() + settings_.muscles.size(); ++i) {
      const PartSource& source = source_of(i);
      costs.push_back(source.labels.empty() ? 0 : count_voxels(source, boxes));
    }
    return costs;
  }

  // Tissues first, then muscles, as everywhere below.
  void make_solids() {
    const std::size_t count = num_tissues() + settings_.muscles.size();
    parts_.assign(count, {"", TissueRank::kMuscle, LevelSet(settings_.voxel)});
    std::vector<std::vector<Repair>> repairs(count);
    std::vector<volume::VoxelBox> boxes;
    if (labels_) boxes = find_label_boxes(*labels_);
    for_each(measure_sources(boxes), [&](std::size_t i) {
      const bool muscle = i >= num_tissues();
      const PartSource& source = source_of(i);
      OverlapPart& part = parts_[i];
      part.name = muscle ? settings_.muscles[i - num_tissues()].name : settings_.tissues[i].name;
      if (!muscle) part.rank = rank_of(settings_.tissues[i].kind);
      const double voxel =
          part.rank == TissueRank::kFat ? kFatVoxel * settings_.voxel : settings_.voxel;
      volume::LabelVolume labels;
      if (!source.labels.empty()) labels = crop_part(*labels_, source, boxes);
      part.level_set =
          make_solid(part.name, source, voxel, settings_.surface_scale, labels, repairs[i]);
    });
    for (const auto& list : repairs) {
      result_.report.repairs.insert(result_.report.repairs.end(), list.begin(), list.end());
    }
    for (std::size_t m = 0; m < settings_.muscles.size(); ++m) {
      MuscleReport& report = result_.report.muscles.emplace_back();
      report.name = settings_.muscles[m].name;
      report.source_volume = parts_[num_tissues() + m].level_set.volume();
      report.input_volume = report.source_volume;
      const PartSource& source = settings_.muscles[m].source;
      if (source.labels.empty()) continue;
      report.input_volume = 0;
      for (const std::uint16_t label : source.labels) {
        report.input_volume += label_counts_[label] * result_.report.label_voxel;
      }
    }
  }

  // Fat is what is left over between all others: it has no border of its own to resolve.
  void resolve() {
    std::vector<OverlapPart> others;
    for (const OverlapPart& part : parts_) {
      if (part.rank != TissueRank::kFat) others.push_back(part);
    }
    for (Repair& repair : levelset::resolve_overlaps(others)) {
      result_.report.repairs.push_back(std::move(repair));
    }
    std::size_t next = 0;
    for (OverlapPart& part : parts_) {
      if (part.rank != TissueRank::kFat) part = std::move(others[next++]);
    }
  }

  void make_tissues() {
    result_.model.tissues.resize(num_tissues());
    for_each(measure_parts(0, num_tissues()), [&](std::size_t i) {
      result_.model.tissues[i] = {
          settings_.tissues[i].name, settings_.tissues[i].kind,
          levelset::make_surface(parts_[i].level_set, kSurfaceCell * parts_[i].level_set.voxel())};
    });
  }

  void check_joints() const {
    const std::string far_off = find_far_joint(result_.model.tissues, settings_.joints);
    if (!far_off.empty()) throw std::invalid_argument(far_off);
  }

  // The surfaces that ends may touch: those of bones and cartilage, and of
  // muscles that others are tied to.
  void prepare_solids() {
    bones_.resize(num_tissues());
    siblings_.resize(settings_.muscles.size());
    for_each(measure_parts(0, parts_.size()), [&](std::size_t i) {
      if (i < num_tissues()) {
        const Tissue& tissue = result_.model.tissues[i];
        if (tissue.kind == TissueKind::kFat || tissue.surface.triangles.empty()) return;
        bones_[i] = std::make_unique<mesh::SurfaceDistance>(tissue.surface);
      } else if (is_sibling(settings_.muscles[i - num_tissues()].name) &&
                 !parts_[i].level_set.is_empty()) {
        siblings_[i - num_tissues()] = std::make_unique<mesh::SurfaceDistance>(
            levelset::make_surface(parts_[i].level_set, kSurfaceCell * settings_.voxel));
      }
    });
  }

  bool is_sibling(const std::string& name) const {
    return std::any_of(settings_.muscles.begin(), settings_.muscles.end(), [&](const auto& m) {
      return m.origin.sibling == name || m.insertion.sibling == name;
    });
  }

  std::vector<NamedSolid> name_bones(const MuscleSettings& muscle) const {
    std::vector<NamedSolid> named;
    for (std::size_t i = 0; i < num_tissues(); ++i) {
      const std::string& name = settings_.tissues[i].name;
      const auto names = [&](const EndSettings& end) {
        return std::find(end.bones.begin(), end.bones.end(), name) != end.bones.end();
      };
      if (bones_[i] && (names(muscle.origin) || names(muscle.insertion))) {
        named.push_back({name, bones_[i].get()});
      }
    }
    return named;
  }

  std::vector<NamedSolid> name_siblings(const MuscleSettings& muscle) const {
    std::vector<NamedSolid> named;
    for (std::size_t m = 0; m < settings_.muscles.size(); ++m) {
      const std::string& name = settings_.muscles[m].name;
      if (siblings_[m] && (muscle.origin.sibling == name || muscle.insertion.sibling == name)) {
        named.push_back({name, siblings_[m].get()});
      }
    }
    return named;
  }

  BuiltMuscle make_muscle(std::size_t m) const {
    const MuscleSettings& settings = settings_.muscles[m];
    const LevelSet& solid = parts_[num_tissues() + m].level_set;
    if (solid.is_empty()) {
      throw std::invalid_argument("nothing is left of it at this voxel size; use a smaller one");
    }
    const std::vector<NamedSolid> bones = name_bones(settings);
    const std::vector<NamedSolid> siblings = name_siblings(settings);
    return build_muscle({settings, solid, settings.cell.value_or(settings_.cell), bones, siblings,
                         labels_ ? &*labels_ : nullptr, settings_.surface_scale, settings_.meshes});
  }

  void make_muscles() {
    prepare_solids();
    std::vector<std::optional<BuiltMuscle>> built(settings_.muscles.size());
    for_each(measure_parts(num_tissues(), built.size()), [&](std::size_t m) {
      MuscleReport& report = result_.report.muscles[m];
      try {
        built[m] = make_muscle(m);
        built[m]->report.source_volume = report.source_volume;
        built[m]->report.input_volume = report.input_volume;
        report = built[m]->report;
      } catch (const std::invalid_argument& e) {
        report.failure = e.what();
      }
    });
    for (auto& one : built) {
      if (!one) continue;
      add_bridges(one->report);
      result_.model.muscles.push_back(std::move(one->muscle));
      if (one->mesh) result_.meshes.push_back(std::move(*one->mesh));
    }
  }

  // Cells that are there only because the muscle is thinner than them are a repair like others.
  void add_bridges(const MuscleReport& muscle) {
    for (const mesh::Bridge& bridge : muscle.bridges) {
      if (bridge.num_tets == 0) continue;
      result_.report.repairs.push_back(
          {"strand", muscle.name, "", bridge.place, bridge.volume, false,
           fmt::format("thinner than its cells: {} of them added", bridge.num_tets)});
    }
  }

  // Steps of repair with what they took from a label or gave it, in % of it.
  static std::string list_steps(const volume::LabelChange& label) {
    std::vector<std::string> steps;
    const double percent = 100 / static_cast<double>(label.before);
    for (std::size_t s = 0; s < volume::kRepairSteps.size(); ++s) {
      if (label.taken[s] + label.given[s] == 0) continue;
      steps.push_back(fmt::format("{} -{:.1f} +{:.1f}", volume::kRepairSteps[s],
                                  percent * static_cast<double>(label.taken[s]),
                                  percent * static_cast<double>(label.given[s])));
    }
    return fmt::format("{}", fmt::join(steps, ", "));
  }

  void add_warnings() {
    std::vector<std::string>& warnings = result_.report.warnings;
    for (const volume::LabelChange& label : result_.report.labels) {
      if (std::abs(label.change()) <= volume::kNotableChange) continue;
      warnings.push_back(fmt::format(
          "{}, label {}: repair changed its volume by {:+.1f} % ({}); skip_repairs of [build] "
          "leaves steps out",
          label.name, label.label, 100 * label.change(), list_steps(label)));
    }
    for (const Repair& repair : result_.report.repairs) {
      // A muscle that its neighbours cut may have been joined again.
      if (!repair.warn || (repair.kind == "cut" && is_whole(repair.part))) continue;
      warnings.push_back(fmt::format("{}: {}{}{}", repair.part, repair.kind,
                                     repair.detail.empty() ? "" : ": ", repair.detail));
    }
    for (const MuscleReport& muscle : result_.report.muscles) add_warnings(muscle, warnings);
    for (const Muscle& muscle : result_.model.muscles) add_empty_regions(muscle, warnings);
  }

  // Regions that were asked for; the first is the rest of the belly.
  static void add_empty_regions(const Muscle& muscle, std::vector<std::string>& warnings) {
    std::vector<char> used(muscle.regions.size(), 0);
    for (std::size_t t = 0; t < muscle.region.size(); ++t) {
      if (muscle.tissue[t] == kMuscleTissue) used[muscle.region[t]] = 1;
    }
    for (std::size_t r = 1; r < used.size(); ++r) {
      if (used[r] != 0) continue;
      warnings.push_back(
          fmt::format("{}: its region \"{}\" holds nothing of the belly; check the "
                      "surface's place and surface_scale",
                      muscle.name, muscle.regions[r]));
    }
  }

  double dropped_part(const MuscleReport& muscle) const {
    const double voxel = settings_.voxel * settings_.voxel * settings_.voxel;
    return static_cast<double>(muscle.one_piece.dropped_voxels) * voxel / muscle.volume;
  }

  bool is_whole(const std::string& name) const {
    return std::any_of(result_.report.muscles.begin(), result_.report.muscles.end(),
                       [&](const MuscleReport& muscle) {
                         return muscle.name == name && muscle.failure.empty() &&
                                muscle.split.num_components == 1 &&
                                dropped_part(muscle) < kAllowedCrumbs;
                       });
  }

  void add_warnings(const MuscleReport& muscle, std::vector<std::string>& warnings) const {
    if (!muscle.failure.empty()) {
      warnings.push_back(muscle.name + " was left out: " + muscle.failure);
      return;
    }
    for (const AttachedEnd* end : {&muscle.origin, &muscle.insertion}) {
      const char* name = end == &muscle.origin ? "origin" : "insertion";
      if (!end->valid) {
        warnings.push_back(fmt::format("{}, {}: {}", muscle.name, name, end->problem));
      } else if (end->contact < kLeastArea) {
        warnings.push_back(fmt::format("{}, {}: touches with {:.1f} mm^2 only and was enlarged",
                                       muscle.name, name, 1e6 * end->contact));
      }
    }
    if (dropped_part(muscle) >= kAllowedCrumbs) {
      warnings.push_back(fmt::format("{} lost {:.1f} % of its volume in loose pieces", muscle.name,
                                     100 * dropped_part(muscle)));
    }
    if (muscle.split.num_components > 1) {
      warnings.push_back(
          fmt::format("{} is in {} pieces", muscle.name, muscle.split.num_components));
    }
    if (muscle.num_firm_pieces > 1) {
      warnings.push_back(
          fmt::format("{} is torn where it is thinner than its cells: {} parts of its "
                      "lattice share no face and lie too far apart to be joined; smaller cells may "
                      "help",
                      muscle.name, muscle.num_firm_pieces));
    }
    if (!(muscle.fibers.solver_residual <= kWorstResidual) || muscle.fibers.num_lines == 0) {
      warnings.push_back(
          fmt::format("{}: its fibres cannot be trusted, {} of them run from end to "
                      "end (residual of their flow {:.2g})",
                      muscle.name, muscle.fibers.num_lines, muscle.fibers.solver_residual));
    }
  }

  const ModelSettings& settings_;
  const OnBuildProgress& on_progress_;
  std::string stage_;
  BuildResult result_;
  std::optional<volume::LabelVolume> labels_;
  std::vector<double> label_counts_;  // voxels of each label as it came in
  std::vector<OverlapPart> parts_;
  std::vector<std::unique_ptr<mesh::SurfaceDistance>> bones_;     // (num_tissues) null: not needed
  std::vector<std::unique_ptr<mesh::SurfaceDistance>> siblings_;  // (num_muscles) null: not needed
};

}  // namespace

BuildResult build_model(const ModelSettings& settings, const OnBuildProgress& on_progress) {
  return Builder(settings, on_progress).build();
}

}  // namespace sinew::anatomy
