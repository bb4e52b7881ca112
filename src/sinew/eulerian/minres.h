// MINRES with a symmetric positive definite preconditioner, for the symmetric indefinite system of
// an implicit step: velocities v and multipliers y.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/schur.h"

namespace sinew::eulerian {

struct KktVector {
  std::vector<Vec3d> v;
  std::vector<double> y;

  KktVector() = default;
  KktVector(std::size_t num_v, std::size_t num_y) : v(num_v), y(num_y) {}
};

// a . b, added in an order that threads do not change.
double inner_product(const KktVector& a, const KktVector& b);
// a = alpha a + beta b
void combine(double alpha, double beta, const KktVector& b, KktVector& a);

using KktOperator = std::function<void(const KktVector& in, KktVector& out)>;

// Solves matrix x = b from x as it is given, to `tolerance` of the preconditioned norm of b.
SolveReport solve_minres(const KktOperator& matrix, const KktOperator& preconditioner,
                         const KktVector& b, double tolerance, int most, KktVector& x);

}  // namespace sinew::eulerian
