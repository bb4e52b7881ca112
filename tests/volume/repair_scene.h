// Two bones and two muscles as a label volume on any grid, damaged by rule. For tests of repair.
#pragma once

#include <cstdint>
#include <functional>

#include "sinew/volume/image.h"
#include "sinew/volume/repair.h"

namespace sinew::volume {

inline constexpr std::uint16_t kLowerBone = 1, kUpperBone = 2, kFlexor = 10, kNeighbor = 11;

// Millimetres inside the scene, which is 64 x 48 x 80 of them.
struct Millimetres {
  double x, y, z;
};

inline double radius_from(const Millimetres& p, double x, double y) {
  return std::hypot(p.x - x, p.y - y);
}

// The flexor hangs on the upper bone, lies along its neighbour and goes to the lower bone with a
// tendon of 3 mm radius.
inline std::uint16_t label_at(const Millimetres& p) {
  if (radius_from(p, 20, 24) < 6.2 && p.z > 2 && p.z < 22) return kLowerBone;
  if (radius_from(p, 20, 24) < 6.2 && p.z > 58 && p.z < 78) return kUpperBone;
  if (radius_from(p, 32, 24) < 6.2 && p.z > 46 && p.z < 74) return kFlexor;
  if (radius_from(p, 44.5, 24) < 6.4 && p.z > 30 && p.z < 76) return kNeighbor;
  const double along = (p.z - 10) / 36;  // of the tendon, from the bone to the belly
  if (along > 0 && along <= 1.02 && radius_from(p, 26 + 6 * along, 24) < 3.0) return kFlexor;
  return 0;
}

inline Grid make_scene_grid(const Vec3d& spacing_mm) {
  Grid grid;
  const Vec3d size = {64, 48, 80};
  for (std::size_t a = 0; a < 3; ++a) {
    grid.size[a] = static_cast<std::int32_t>(size[a] / spacing_mm[a]);
  }
  grid.axes = Mat3d::diagonal(spacing_mm * 1e-3);
  grid.origin = spacing_mm * 0.5e-3;
  return grid;
}

inline Millimetres place_in_scene(const LabelVolume& labels, std::size_t at) {
  const Vec3d p = position_of(labels.grid, index_at(labels.grid, at)) * 1e3;
  return {p.x, p.y, p.z};
}

inline LabelVolume make_scene(const Vec3d& spacing_mm) {
  LabelVolume labels{make_scene_grid(spacing_mm), {}};
  labels.voxels.resize(num_voxels(labels.grid));
  for (std::size_t at = 0; at < labels.voxels.size(); ++at) {
    labels.voxels[at] = label_at(place_in_scene(labels, at));
  }
  return labels;
}

inline RepairSettings make_scene_settings() {
  return {{{kLowerBone, "lower bone", LabelKind::kBone},
           {kUpperBone, "upper bone", LabelKind::kBone},
           {kFlexor, "flexor", LabelKind::kMuscle},
           {kNeighbor, "neighbour", LabelKind::kMuscle}},
          {{kFlexor, {kUpperBone}, {kLowerBone}}}};
}

// Gives every voxel what `rule` says of its place and label; returns how many changed.
inline std::size_t change_voxels(
    LabelVolume& labels,
    const std::function<std::uint16_t(const Millimetres&, std::uint16_t)>& rule) {
  std::size_t changed = 0;
  for (std::size_t at = 0; at < labels.voxels.size(); ++at) {
    const std::uint16_t label = rule(place_in_scene(labels, at), labels.voxels[at]);
    changed += label != labels.voxels[at] ? 1U : 0U;
    labels.voxels[at] = label;
  }
  return changed;
}

inline std::size_t set_ball(LabelVolume& labels, const Millimetres& center, double radius,
                            std::uint16_t label) {
  return change_voxels(labels, [&](const Millimetres& p, std::uint16_t old) {
    return std::hypot(p.x - center.x, p.y - center.y, p.z - center.z) < radius ? label : old;
  });
}

inline std::size_t cut_tendon(LabelVolume& labels) {
  return change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return old == kFlexor && p.z < 34 ? 0 : old;
  });
}

inline std::size_t drop_slices(LabelVolume& labels) {
  return change_voxels(labels, [](const Millimetres& p, std::uint16_t old) -> std::uint16_t {
    return old == kNeighbor && p.z > 38 && p.z < 42 ? 0 : old;
  });
}

// The flexor leaks four millimetres deep into its neighbour.
inline std::size_t leak(LabelVolume& labels) {
  return change_voxels(labels, [](const Millimetres& p, std::uint16_t old) {
    return old == kNeighbor && radius_from(p, 32, 24) < 10.5 && p.z > 52 && p.z < 66 ? kFlexor
                                                                                     : old;
  });
}

// Voxels take the label of a neighbour across a face, chosen at random, with p = 0.22.
inline void add_boundary_noise(LabelVolume& labels) {
  const LabelVolume clean = labels;
  std::uint64_t state = 20240611;
  const auto draw = [&state] {  // Knuth's constants for a linear congruential generator
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state >> 33U);
  };
  for (std::size_t at = 0; at < labels.voxels.size(); ++at) {
    const std::uint32_t face = draw() % 6;
    const bool takes = draw() % 100 < 22;
    Index next = index_at(labels.grid, at);
    next[face / 2] += face % 2 == 0 ? 1 : -1;
    if (takes && contains(labels.grid, next)) {
      labels.voxels[at] = clean.voxels[offset_of(labels.grid, next)];
    }
  }
}

inline std::size_t count_different(const LabelVolume& a, const LabelVolume& b) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < a.voxels.size(); ++at) count += a.voxels[at] != b.voxels[at];
  return count;
}

// 2 |A and B| / (|A| + |B|) of a label where `counts` says so.
inline double compute_dice(const LabelVolume& a, const LabelVolume& b, std::uint16_t label,
                           const std::function<bool(const Millimetres&)>& counts) {
  double both = 0, sum = 0;
  for (std::size_t at = 0; at < a.voxels.size(); ++at) {
    if (!counts(place_in_scene(a, at))) continue;
    const bool in_a = a.voxels[at] == label, in_b = b.voxels[at] == label;
    both += in_a && in_b ? 1 : 0;
    sum += (in_a ? 1 : 0) + (in_b ? 1 : 0);
  }
  return sum > 0 ? 2 * both / sum : 1;
}

inline std::size_t count_kind(const std::vector<Repair>& repairs, const std::string& kind) {
  std::size_t count = 0;
  for (const Repair& repair : repairs) count += repair.kind == kind ? 1U : 0U;
  return count;
}

}  // namespace sinew::volume
