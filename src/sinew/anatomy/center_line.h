// The centre line of a muscle: from origin to insertion through the middle of its cross-sections,
// with frames that do not twist. For fitting B-spline solids.
#pragma once

#include <span>
#include <vector>

#include "sinew/anatomy/cross_section.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

struct CenterLine {
  std::vector<SectionFrame> frames;  // at equal steps of length, from end to end of the muscle
  double length;                     // m
};

// `bending` is the weight of smoothness against nearness to the centroids; more gives a straighter
// line. Throws std::invalid_argument where the ends coincide or no path over the surface joins
// them. Preconditions: a closed surface; at least one point at each end; num_slices >= 8.
CenterLine trace_center_line(const mesh::Surface& surface, std::span<const Vec3d> origin,
                             std::span<const Vec3d> insertion, std::size_t num_slices,
                             double bending);

}  // namespace sinew::anatomy
