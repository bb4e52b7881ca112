// Microseconds of muscle force distribution in a pose: rows of `sinew bench skeleton`.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// Made-up demands of as many muscles and coordinates as small and large arms have (6 and 2, 33 and
// 8, 164 and 14), from pose to pose with the last solution as a guess; best of `repeats`, one
// thread.
std::vector<Figure> bench_force_distribution(int repeats);

}  // namespace sinew::bench
