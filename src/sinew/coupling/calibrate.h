// How strong a volumetric muscle is, and how strong its fibres must be for it to pull as its line
// muscle does: isometric forces over length, then a factor on the fibres' stress.
//
// Source: docs/theory/coupling.md, equations (7) and (8).
#pragma once

#include <vector>

#include "sinew/tet/settings.h"

namespace sinew::coupling {

struct ForceLengthPoint {
  double shift = 0;    // m, of the insertion away from the origin, from rest
  double passive = 0;  // N, without activation
  double total = 0;    // N, fully active
};

// Isometric force of a body with two attachments, the second moved along `axis` (unit) to each
// shift (m, increasing), the first held: what the second feels towards the first. Excitations and
// motions of the settings are replaced. Throws std::invalid_argument unless there are two
// attachments.
std::vector<ForceLengthPoint> measure_force_length(const tet::BodySettings& body, const Vec3d& axis,
                                                   const std::vector<double>& shifts,
                                                   tet::Accuracy accuracy);

// The largest active force (total less a passive pull) over length, N, of a parabola through the
// best point and its neighbours; zero where there is none.
double find_peak(const std::vector<ForceLengthPoint>& curve);

// Factors beyond these say that muscle and line do not belong together, not how strong fibres are.
inline constexpr double kLeastStrength = 0.01, kMostStrength = 100;

struct Calibration {
  double strength = 1;                  // factor on the fibres' active stress
  double force_before = 0;              // N, peak with a factor of 1
  double force = 0;                     // N, peak with `strength`
  std::vector<ForceLengthPoint> curve;  // with `strength`
};

// The factor within these limits that makes the peak equal `wanted` (N, > 0) within `tolerance`,
// relative; the best one after a few tries where that is not reached.
Calibration calibrate(const tet::BodySettings& body, const Vec3d& axis,
                      const std::vector<double>& shifts, double wanted, double tolerance,
                      tet::Accuracy accuracy);

// The same body with fibres of this factor.
tet::BodySettings with_strength(tet::BodySettings body, double strength);

}  // namespace sinew::coupling
