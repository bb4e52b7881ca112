// Partial activation: a power of the stretch that an active shape asks for, at every point of every
// step. docs/theory/active_shapes.md, eq. 3.
//
// Symbols: A = dpsi/dX = R U, C = A^T A = U^2, a activation.
#pragma once

#include "sinew/core/vec.h"

namespace sinew::eulerian {

struct StretchPower {
  Mat3d inverse_square;    // U^-2a
  double determinant = 1;  // det U^a
};

// Without eigenvectors: the polynomial through the powers of C's eigenvalues. Stretches below 0.05
// or above 20 are cut off.
StretchPower compute_stretch_power(const Mat3d& A, double activation);

}  // namespace sinew::eulerian
