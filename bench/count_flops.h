// How many floating-point operations a law takes at a point, counted by running it.
#pragma once

#include "sinew/material/muscle.h"

namespace sinew::bench {

// Additions, multiplications, divisions and square roots count one each, logarithms and cube roots
// 20 (their polynomials); choices and table reads nothing. Stress with volume part.
double count_stress_flops(const material::Muscle& law);

}  // namespace sinew::bench
