// Seconds of each stage and memory of building a model.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// The right upper limb at 1 mm where its data are found from the working folder
// (models/right-upper-limb-1mm.toml), and the built-in arm.
std::vector<Figure> bench_build();

}  // namespace sinew::bench
