// `sinew bench implicit`: implicit steps of a muscle block from rest to full activation, and the
// step of a soft cube that other programs publish.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// For blocks of about 30 k to 3 M tetrahedra (the largest only with `threads` > 1): seconds of one
// backward Euler step of 1/24 s to a relative error of positions of 1e-2 and 1e-6, iterations,
// setup time, bytes a tetrahedron, and the exponent with which the time grows.
std::vector<Figure> bench_implicit(int repeats, int threads);

}  // namespace sinew::bench
