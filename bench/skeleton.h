// Microseconds a pose of line muscles: lengths and moment arms with their kinematics.
#pragma once

#include <string>
#include <vector>

#include "figure.h"

namespace sinew::bench {

// Of a built-in arm, which needs no data, and of das4_v4.osim and arm26.osim below the folder
// `data` (where empty: the one that SINEW_DATA names, or ../shared/data); one thread. Says on
// standard error which of them is not there.
std::vector<Figure> bench_skeleton(int repeats, const std::string& data);

}  // namespace sinew::bench
