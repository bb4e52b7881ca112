// Frames a second of inverse kinematics from markers: a row of `sinew bench skeleton`.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// A built-in chain of 17 coordinates and 12 markers that moves through 500 frames, with noise of a
// millimetre; best of `repeats`, one thread.
std::vector<Figure> bench_ik(int repeats);

}  // namespace sinew::bench
