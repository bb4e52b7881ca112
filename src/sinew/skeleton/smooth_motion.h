// A recorded motion made fit for inverse dynamics: low-pass filtered, with rates and accelerations.
// Does what OpenSim's tools do, so that joint moments can be compared with theirs.
//
// Source: docs/theory/skeleton.md, equations (42)-(45).
#pragma once

#include <vector>

#include "sinew/skeleton/motion.h"

namespace sinew::skeleton {

struct SmoothMotion {
  std::vector<double> times;                    // s
  std::vector<std::vector<double>> q, u, udot;  // (num_times, num_coordinates), SI
};

// At the motion's own times. `cutoff_hz`: of a third-order Butterworth filter that runs forward and
// backward, so that nothing is delayed; 0: no filter, or where the samples are too far apart for it
// (two a period or fewer). Every coordinate is treated by itself, coupled ones too. Throws
// std::invalid_argument where the cutoff is negative or the motion's times do not increase.
SmoothMotion smooth_motion(const Motion& motion, double cutoff_hz);
// The same at other times; beyond the motion's ends it goes on as a parabola.
SmoothMotion smooth_motion(const Motion& motion, double cutoff_hz,
                           const std::vector<double>& times);

}  // namespace sinew::skeleton
