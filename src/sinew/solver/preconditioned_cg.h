// Conjugate gradients on nodal fields in float, matrix-free, with any symmetric positive definite
// preconditioner; sums in double, in fixed order. For Newton steps: negative curvature is reported,
// not an error.
#pragma once

#include <functional>

#include "sinew/core/field3.h"

namespace sinew::solver {

// out = operator(in); `out` has the size of `in` already.
using FieldOperator = std::function<void(const Field3f& in, Field3f& out)>;

struct PcgSettings {
  double tolerance = 1e-3;  // on sqrt(r . M r) relative to `scale`: an estimate of the energy norm
  int max_iterations = 200;
  double scale = 0;  // what counts as large; 0: sqrt(b . M b)
};

struct PcgReport {
  int iterations = 0;
  double residual = 0;  // relative, as above
  bool converged = false;
  bool negative_curvature = false;  // met a direction d with d . A d <= 0 and stopped there
};

struct PcgWorkspace {
  Field3f residual, preconditioned, direction, image;
};

// Solves A x = b from x = 0; M approximates the inverse of A. On negative curvature x is what was
// reached before it, or M b where nothing was: a descent direction either way. Stops early on what
// is not finite, with converged = false and the last finite x.
PcgReport preconditioned_cg(const FieldOperator& A, const FieldOperator& M, const Field3f& b,
                            const PcgSettings& settings, Field3f& x, PcgWorkspace& workspace);

}  // namespace sinew::solver
