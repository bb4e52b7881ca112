// The Moore-Penrose pseudo-inverse of a small matrix and the projection to its null space, as chen
// 1992, section 4.1.2, moves skeletons. By one-sided Jacobi rotations (Hestenes 1958), so that
// small singular values are exact and singular matrices are safe.
#pragma once

#include <vector>

#include "sinew/skeleton/dense.h"

namespace sinew::skeleton {

// A = sum of u_i (s_i v_i)^T over singular values s_i.
struct PseudoInverse {
  DenseMatrix left;             // (A.rows x A.rows) u_i, row by row
  DenseMatrix right;            // (A.rows x A.columns) s_i v_i, row by row
  std::vector<double> squares;  // (A.rows) s_i^2; 0 where s_i is below the cut
};

// Singular values below `cut` times the largest count as zero.
PseudoInverse make_pseudo_inverse(const DenseMatrix& a, double cut);

// The shortest x that brings A x nearest to b; with damping > 0 the x that minimises
// |A x - b|^2 + damping |x|^2. b: (A.rows); result: (A.columns)
std::vector<double> solve_least_squares(const PseudoInverse& inverse, const std::vector<double>& b,
                                        double damping);
// (1 - A^+ A) x: what of x A does not see. x: (A.columns)
std::vector<double> project_to_null_space(const PseudoInverse& inverse,
                                          const std::vector<double>& x);

}  // namespace sinew::skeleton
