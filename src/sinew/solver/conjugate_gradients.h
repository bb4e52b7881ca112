// Conjugate gradients for symmetric positive definite systems on nodal vectors, matrix-free, with a
// diagonal preconditioner. Sums run in fixed order: the result does not depend on threads.
#pragma once

#include <functional>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::solver {

using NodalVector = std::vector<Vec3d>;  // (num_nodes)

struct CgSettings {
  double tolerance = 1e-6;  // on the preconditioned residual, relative to `scale`
  int max_iterations = 200;
  double scale = 0;  // what counts as large; 0: the preconditioned size of the right side
};

struct CgReport {
  int iterations = 0;
  double residual = 0;  // relative, as above
  bool converged = false;
};

struct CgWorkspace {
  NodalVector residual, direction, image;
};

// sum_i a_i . b_i
double dot(const NodalVector& a, const NodalVector& b);
// sum_i w_i a_i . b_i
double weighted_dot(const std::vector<double>& w, const NodalVector& a, const NodalVector& b);

// Solves A x = b from the x given. apply(in, out) sets out = A in; `inverse_diagonal` is the
// preconditioner, one number a node. Stops early on what is not finite, with converged = false.
CgReport conjugate_gradients(
    const std::function<void(const NodalVector& in, NodalVector& out)>& apply,
    const std::vector<double>& inverse_diagonal, const NodalVector& b, const CgSettings& settings,
    NodalVector& x, CgWorkspace& workspace);

}  // namespace sinew::solver
