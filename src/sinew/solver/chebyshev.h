// A Chebyshev polynomial of the block-Jacobi iteration as a smoother: damps the upper part of the
// spectrum evenly, with products only, and is symmetric. For the levels of a multigrid cycle.
//
// Source: docs/theory/implicit.md, equation (15): the recurrence of Chebyshev semi-iteration.
#pragma once

#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"

namespace sinew::solver {

// The largest eigenvalue of D A, from below, by Lanczos' method from a fixed vector; 1 where the
// matrix is zero or not finite.
double estimate_largest_eigenvalue(const BlockMatrix& A, const BlockDiagonal& D);

// The steps of the polynomial of `degree` that is smallest on [largest / range, largest].
// Preconditions: degree >= 1, largest > 0, range > 1.
std::vector<SmoothingStep> make_chebyshev_steps(int degree, double largest, double range);

// Runs the steps on A x = b, from x = 0 or from the x given; `other` is scratch of the same size.
void smooth_from_zero(const BlockMatrix& A, const BlockDiagonal& D,
                      const std::vector<SmoothingStep>& steps, const Field3f& b, Field3f& x,
                      Field3f& other);
void smooth(const BlockMatrix& A, const BlockDiagonal& D, const std::vector<SmoothingStep>& steps,
            const Field3f& b, Field3f& x, Field3f& other);

}  // namespace sinew::solver
