// Fits a B-spline solid to a muscle whose surface, origin and insertion are known, so that its w
// lines run from origin to insertion and along the surface. For fibres of scanned muscles.
//
// A centre line through the centroids of cross-sections from end to end carries frames that do not
// twist; each cross-section is a radial function about it, and a map from the square to the disc
// makes (u, v) of it. Departure from Ng-Thow-Hing: no digitised fibres are needed, so pennation is
// not found; hollows that the centre does not see are filled.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sinew/anatomy/bspline_solid.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

struct BsplineFitSettings {
  std::array<std::uint32_t, 3> degrees = {3, 3, 3};  // 1 to 3
  std::array<std::uint32_t, 3> counts = {6, 6, 14};  // control points along u, v, w
  std::uint32_t num_slices = 64;                     // cross-sections along w, >= 8
  std::uint32_t num_directions = 48;                 // of the radial function, >= 8
  double margin = 0.10;        // the solid is larger than each cross-section by this part, >= 0
  double least_radius = 0.12;  // of a cross-section, as a part of the median one, > 0
  double smoothing = 1e-3;     // weight of the bending of control points, >= 0
};

// What to look at before the fit is used.
struct BsplineFitReport {
  double covered = 0;         // part of surface vertices inside the solid or within 1 % of its size
  double largest_gap = 0;     // m, of a surface vertex outside the solid
  double least_jacobian = 0;  // smallest det J / product of its columns' lengths: > 0 is no fold
  double mean_angle = 0;      // rad, between fibre and tangent plane over the side of the surface
  double p95_angle = 0;       // rad, the same, of 95 %
  double length = 0;          // m, of the centre line
  int num_attempts = 0;       // fits made, each smoother than the one before, until none folded
};

struct BsplineFit {
  BsplineSolid solid;
  BsplineFitReport report;
};

// `origin` and `insertion` are points of the attachments, m; one each is enough, their centroids
// count. The muscle may reach beyond them. Throws std::invalid_argument for settings out of range,
// no points, ends that coincide or a surface that the centre line does not meet.
// Precondition: `surface` passed check_closed.
BsplineFit fit_bspline_solid(const mesh::Surface& surface, std::span<const Vec3d> origin,
                             std::span<const Vec3d> insertion, const BsplineFitSettings& settings);

}  // namespace sinew::anatomy
