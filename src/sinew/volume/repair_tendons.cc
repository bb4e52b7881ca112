// Which muscles lack a tendon, and the tendon.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sinew/volume/distance_transform.h"
#include "sinew/volume/muscle_reach.h"
#include "sinew/volume/repair_record.h"
#include "sinew/volume/repair_steps.h"
#include "sinew/volume/section.h"
#include "sinew/volume/tendon_course.h"

namespace sinew::volume {
namespace {

constexpr double kFarthestBone = 0.06;  // m, from a tip
constexpr double kLeastGap = 6e-3;      // m: less is left to the rules for attachments
constexpr double kStump = 2;  // times its width at the border: a shorter muscle tells nothing
constexpr double kTipSlack = 0.015;  // m: the tip is the part nearest to the bone, but for this
constexpr double kTaper = 0.9;       // of the tip's radius, where the tendon meets the bone

using Bones = std::vector<std::uint16_t>;
using End = Bones MuscleEnds::*;

struct Scan {
  const LabelVolume& labels;
  std::vector<VoxelBox> boxes;  // of labels

  bool has(std::uint16_t label) const {
    return label < boxes.size() && boxes[label].low[0] <= boxes[label].high[0];
  }
  std::vector<std::size_t> find_touching(std::uint16_t label, const Bones& others) const {
    return volume::find_touching(labels, boxes, label, others);
  }
};

Bones keep_present(const Scan& scan, const Bones& bones) {
  Bones present;
  std::copy_if(bones.begin(), bones.end(), std::back_inserter(present),
               [&](std::uint16_t bone) { return scan.has(bone); });
  return present;
}

// Voxels of the muscle at the border of the image.
std::vector<std::size_t> find_cut(const Scan& scan, std::uint16_t muscle) {
  const VoxelBox& box = scan.boxes[muscle];
  const Grid& grid = scan.labels.grid;
  bool inside = true;
  for (std::size_t a = 0; a < 3; ++a) {
    inside = inside && box.low[a] > 0 && box.high[a] + 1 < grid.size[a];
  }
  std::vector<std::size_t> cut;
  if (inside) return cut;
  Index index{};
  for (index[2] = box.low[2]; index[2] <= box.high[2]; ++index[2]) {
    for (index[1] = box.low[1]; index[1] <= box.high[1]; ++index[1]) {
      for (index[0] = box.low[0]; index[0] <= box.high[0]; ++index[0]) {
        bool at_border = false;
        for (std::size_t a = 0; a < 3; ++a) {
          at_border |= index[a] == 0 || index[a] + 1 == grid.size[a];
        }
        const std::size_t at = offset_of(grid, index);
        if (at_border && scan.labels.voxels[at] == muscle) cut.push_back(at);
      }
    }
  }
  return cut;
}

// Width, m, of a square as large as the muscle's cut.
double measure_width(const Scan& scan, const std::vector<std::size_t>& cut) {
  return std::cbrt(voxel_volume(scan.labels.grid)) * std::sqrt(static_cast<double>(cut.size()));
}

Index nearest_voxel(const Grid& grid, const Vec3d& place) {
  const Vec3d index = index_of(grid, place);
  return {static_cast<std::int32_t>(std::lround(index.x)),
          static_cast<std::int32_t>(std::lround(index.y)),
          static_cast<std::int32_t>(std::lround(index.z))};
}

// An end that misses its bones.
struct FreeEnd {
  const MuscleEnds* muscle;
  End end;
  Bones bones;  // in the image
  MuscleTip tip;
  double gap;  // m, from the tip to the nearest bone
};

// Nothing where the muscle reaches the bones, where these or the end lie outside the image, or
// where the part of the muscle that comes nearest to them is not an end of it.
std::optional<FreeEnd> find_free_end(const Scan& scan, const MuscleEnds& muscle, End end) {
  const Bones bones = keep_present(scan, muscle.*end);
  if (bones.empty() || !scan.find_touching(muscle.muscle, bones).empty()) return std::nullopt;
  const End other = end == &MuscleEnds::origin ? &MuscleEnds::insertion : &MuscleEnds::origin;
  std::vector<std::size_t> from =
      scan.find_touching(muscle.muscle, keep_present(scan, muscle.*other));
  const std::vector<std::size_t> cut = find_cut(scan, muscle.muscle);
  // The border cuts one end off: this one, if the other is in the image.
  if (from.empty() == cut.empty()) return std::nullopt;
  if (from.empty()) from = cut;
  const VoxelBox& box = scan.boxes[muscle.muscle];
  const std::optional<MuscleTip> tip = find_tip(scan.labels, box, muscle.muscle, from);
  if (!tip || (!cut.empty() && tip->length < kStump * measure_width(scan, cut))) {
    return std::nullopt;
  }
  // A cord thinner than a voxel may have been lost between the voxels: nothing shows that it was
  // left out, and voxels cannot draw it.
  const Vec3d spacing = spacing_of(scan.labels.grid);
  if (2 * tip->radius < std::max({spacing.x, spacing.y, spacing.z})) return std::nullopt;
  const double gap = measure_gap_from(scan.labels, tip->place, bones, kFarthestBone);
  if (gap > kFarthestBone) return std::nullopt;
  const double nearest = measure_gap(scan.labels, scan.boxes, muscle.muscle, bones, gap);
  if (nearest < kLeastGap || nearest < gap - kTipSlack || nearest > tip->length) {
    return std::nullopt;
  }
  return FreeEnd{&muscle, end, bones, *tip, gap};
}

// Does the end lie against another head that goes to the same bone and reaches it?
bool ends_on_sibling(const Scan& scan, const RepairSettings& settings, const FreeEnd& free) {
  for (const MuscleEnds& other : settings.muscles) {
    if (other.muscle == free.muscle->muscle || !scan.has(other.muscle)) continue;
    const Bones& bones = other.*(free.end);
    const bool shares = std::any_of(bones.begin(), bones.end(), [&](std::uint16_t bone) {
      return std::find(free.bones.begin(), free.bones.end(), bone) != free.bones.end();
    });
    if (!shares) continue;
    const double near = free.tip.radius + touching_distance(scan.labels.grid);
    const Bones sibling = {other.muscle};
    if (measure_gap_from(scan.labels, free.tip.place, sibling, near) <= near &&
        !scan.find_touching(other.muscle, free.bones).empty()) {
      return true;
    }
  }
  return false;
}

std::optional<Repair> add_tendon(LabelVolume& labels, const FreeEnd& free,
                                 const RepairSettings& settings) {
  const std::uint16_t muscle = free.muscle->muscle;
  const std::vector<Vec3d> course =
      find_tendon_course(labels, muscle, free.tip, free.bones, free.gap);
  if (course.empty()) return std::nullopt;
  const std::vector<std::size_t> voxels =
      find_tendon_voxels(labels, muscle, course, free.tip.radius, kTaper * free.tip.radius);
  ChangedVoxels changed;
  for (const std::size_t at : voxels) {
    labels.voxels[at] = muscle;
    changed.add(index_at(labels.grid, at));
  }
  if (changed.count() == 0) return std::nullopt;
  const Index end = nearest_voxel(labels.grid, course.back());
  Repair repair =
      changed.make_repair(labels.grid, "missing tendon", name_of(settings, muscle),
                          name_of(settings, labels.voxels[offset_of(labels.grid, end)]));
  repair.warn = true;
  repair.detail = fmt::format(
      "drawn from the end of the muscle to the bone, {:.0f} mm away, "
      "with a radius of {:.1f} mm",
      free.gap * 1e3, free.tip.radius * 1e3);
  return repair;
}

}  // namespace

std::vector<Repair> add_missing_tendons(LabelVolume& labels, const RepairSettings& settings) {
  Scan scan{labels, compute_label_boxes(labels, find_runs(labels))};
  std::vector<FreeEnd> ends;
  for (const MuscleEnds& muscle : settings.muscles) {
    if (!scan.has(muscle.muscle)) continue;
    for (const End end : {&MuscleEnds::origin, &MuscleEnds::insertion}) {
      const std::optional<FreeEnd> free = find_free_end(scan, muscle, end);
      if (free) ends.push_back(*free);
    }
  }
  // Nearest first: a head next to one that has got its tendon needs none of its own.
  std::stable_sort(ends.begin(), ends.end(),
                   [](const FreeEnd& a, const FreeEnd& b) { return a.gap < b.gap; });
  std::vector<Repair> repairs;
  for (const FreeEnd& free : ends) {
    if (ends_on_sibling(scan, settings, free)) continue;
    const std::optional<Repair> repair = add_tendon(labels, free, settings);
    if (!repair) continue;
    repairs.push_back(*repair);
    scan.boxes = compute_label_boxes(labels, find_runs(labels));
  }
  return repairs;
}

}  // namespace sinew::volume
