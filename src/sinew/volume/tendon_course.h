// The course of a tendon that a scan lacks, and its voxels: a smooth line from the muscle's tip to
// the bone through what no other label holds, drawn as tapered capsules. For add_missing_tendons.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/volume/image.h"
#include "sinew/volume/muscle_reach.h"

namespace sinew::volume {

// Points along the line, m, about 1 mm apart, from the tip, which is `gap` from the bones, into
// one of them. The way is the shortest through background, to where it turns little off the
// muscle's line (tendons meet bones at shallow angles); pulled taut; a Catmull-Rom spline smooths
// it. Empty where other labels are in the way.
std::vector<Vec3d> find_tendon_course(const LabelVolume& labels, std::uint16_t muscle,
                                      const MuscleTip& tip, std::span<const std::uint16_t> bones,
                                      double gap);

// Background voxels within a radius of the line that goes from `first_radius` to `last_radius`, m,
// and is up to half as much again where tissues other than the muscle take part of the section;
// offsets, sorted.
std::vector<std::size_t> find_tendon_voxels(const LabelVolume& labels, std::uint16_t muscle,
                                            const std::vector<Vec3d>& course, double first_radius,
                                            double last_radius);

}  // namespace sinew::volume
