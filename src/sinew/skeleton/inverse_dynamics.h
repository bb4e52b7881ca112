// Joint moments that a motion needs: inverse dynamics at every time of it, for the distribution
// among muscles and for comparison with OpenSim's tool.
//
// Source: docs/theory/skeleton.md, equations (33) and (46)-(54).
#pragma once

#include <vector>

#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/paths.h"
#include "sinew/skeleton/smooth_motion.h"

namespace sinew::skeleton {

// (num_times, num_coordinates) N m or N: what is left to be supplied beside gravity, loads and the
// skeleton's joint forces, as OpenSim's tool has it; `rules` are those of ligaments' paths.
// `quasi_static`: rates and accelerations count as zero, as
// in the papers. `loads`: external ones at each time, or none at all. Throws std::invalid_argument
// where their number is another one, and as Multibody does.
std::vector<std::vector<double>> compute_joint_moments(
    const Skeleton& skeleton, const SmoothMotion& motion, bool quasi_static,
    const std::vector<std::vector<Load>>& loads = {}, WrapRules rules = WrapRules::kGeodesic);

}  // namespace sinew::skeleton
