// Seconds of the brick engine: modal beams, free-form deformation, embedding.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// Half a second of the six-element beam of chen1992 with 30 and all 234 modes; a million points;
// the embedding of 100,000. Best of `repeats`.
std::vector<Figure> bench_brick(int repeats);

}  // namespace sinew::bench
