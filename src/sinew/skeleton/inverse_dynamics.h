// Joint moments that a motion needs: inverse dynamics at every time of it, for the distribution
// among muscles and for comparison with OpenSim's tool.
//
// Source: docs/theory/skeleton.md, equation (33).
#pragma once

#include <vector>

#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/smooth_motion.h"

namespace sinew::skeleton {

// (num_times, num_coordinates) N m or N. `quasi_static`: rates and accelerations count as zero, as
// in the papers. `loads`: external ones at each time, or none at all. Throws std::invalid_argument
// where their number is another one, and as Multibody does.
std::vector<std::vector<double>> compute_joint_moments(
    const Skeleton& skeleton, const SmoothMotion& motion, bool quasi_static,
    const std::vector<std::vector<Load>>& loads = {});

}  // namespace sinew::skeleton
