// Microseconds a pose of line muscles: lengths and moment arms with their kinematics.
#pragma once

#include <string>
#include <vector>

#include "figure.h"

namespace sinew::bench {

// Of das4_v4.osim and arm26.osim below the folder `data` (or, where empty, the one that SINEW_DATA
// names), and of a built-in arm, which needs no data; one thread.
std::vector<Figure> bench_skeleton(int repeats, const std::string& data);

}  // namespace sinew::bench
