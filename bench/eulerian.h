// Milliseconds of a step of the Eulerian engine, by stage, at the sizes of fan2014 table 1, and how
// its cost grows to 400,000 unknowns.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// Explicit steps of two arms (7 + 2 and 6 + 2 muscles in close contact, held at both ends and
// active) beside the paper's 3526 and 2316 ms, and implicit ones of 2 ms of the larger arm; the
// best of `repeats` steps after the first ones. Then the larger arm on ever finer cells, in
// microseconds an unknown; steps are shortened as cells are.
std::vector<Figure> bench_eulerian(int repeats, int threads);

}  // namespace sinew::bench
