// Does a muscle reach its bones, and where does it end if not? For adding missing tendons.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/volume/connected_components.h"
#include "sinew/volume/image.h"

namespace sinew::volume {

bool is_among(std::span<const std::uint16_t> labels, std::uint16_t label);

// A muscle next to a bone is at most this far from it, m: 3 mm, or one and a half slices.
double touching_distance(const Grid& grid);

// Voxels within a distance, m, of a place along each axis of the image.
VoxelBox make_voxel_box(const Grid& grid, const Vec3d& place, double distance);

// Distance, m, from a place to the nearest voxel of any of the labels; infinite where it is more
// than `farthest`.
double measure_gap_from(const LabelVolume& labels, const Vec3d& place,
                        std::span<const std::uint16_t> others, double farthest);

// Voxels of `label` within the touching distance of any of the other labels; boxes as of
// compute_label_boxes. Sorted by offset.
std::vector<std::size_t> find_touching(const LabelVolume& labels,
                                       const std::vector<VoxelBox>& boxes, std::uint16_t label,
                                       std::span<const std::uint16_t> others);

// A muscle's free end.
struct MuscleTip {
  Vec3d place;      // m, middle of its last 8 mm
  Vec3d direction;  // unit, out of the muscle, over its last 28 mm
  double radius;    // m, of a circle of the mean section of these 8 mm
  double length;    // m, of the muscle up to here
};

// The part of the muscle farthest, inside it, from the voxels `from`; nothing where the muscle is
// shorter than 15 mm. Precondition: `from` are voxels of the muscle, at least one.
std::optional<MuscleTip> find_tip(const LabelVolume& labels, const VoxelBox& box,
                                  std::uint16_t muscle, const std::vector<std::size_t>& from);

// The distance, m, between the part of a muscle nearest to any of the bones and these; infinite
// where it is more than `farthest`.
double measure_gap(const LabelVolume& labels, const std::vector<VoxelBox>& boxes,
                   std::uint16_t muscle, std::span<const std::uint16_t> bones, double farthest);

}  // namespace sinew::volume
