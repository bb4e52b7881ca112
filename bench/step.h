// `sinew bench step`: the scalar reference of the tet engine, as the yardstick for faster kernels.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// A torus of about 30 k and one of about 100 k tetrahedra, on one thread and on `threads`, best of
// `repeats` after a warm-up: milliseconds a step, and million tetrahedra a second of one elastic
// force evaluation at rest shape and crushed (where every element needs its SVD).
std::vector<Figure> bench_step(int repeats, int threads);

}  // namespace sinew::bench
