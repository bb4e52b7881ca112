// `sinew bench tet`: the force kernel of the tet engine beside what this machine can do at most.
#pragma once

#include <vector>

#include "figure.h"

namespace sinew::bench {

// A torus of about 100 k and one of about 1 M tetrahedra, on one thread and on `threads`, best of
// `repeats` after a warm-up. Million tetrahedra a second of a force evaluation, in float and
// double, of the default muscle (averaged dilatation) and of teran2005: `hybrid` at a gentle
// deformation, `svd` crushed flat, where every element takes its SVD. Then the machine's peaks
// measured in the same run (fused multiply-adds, memory bandwidth), the parts of them that the
// kernel reaches, bytes of kernel arrays a tetrahedron, and a plain loop on Eigen with its ratio.
std::vector<Figure> bench_tet_kernel(int repeats, int threads);

}  // namespace sinew::bench
