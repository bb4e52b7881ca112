// Small dense equations of motion with constraints: what a system with mass does that may not move
// in some directions, and in others only one way. For accelerations, impacts and corrections alike.
//
// Source: docs/theory/skeleton.md, equations (36)-(38).
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/skeleton/dense.h"

namespace sinew::skeleton {

struct ConstraintRows {
  DenseMatrix directions;     // G: (num_rows, n)
  std::vector<double> goals;  // c: (num_rows)
  std::size_t num_equal = 0;  // the first rows are G a = c, the others G a >= c
};

// Unlike factor_cholesky, for matrices that may be singular.
class RankCholesky {
 public:
  static constexpr std::size_t kDone = static_cast<std::size_t>(-1);
  // A = L L^T by the rows of A that are not, to rounding, combinations of those before.
  explicit RankCholesky(const DenseMatrix& a);
  // The first row without a pivot, kDone where A is positive definite.
  std::size_t first_dependent() const { return first_dependent_; }
  bool is_dependent(std::size_t row) const { return factor_(row, row) == 0; }
  // A x = b; x is zero in dependent rows.
  std::vector<double> solve(std::vector<double> b) const;

 private:
  DenseMatrix factor_;
  std::size_t first_dependent_ = kDone;
};

// The a nearest to M^-1 f in the norm of the mass M that obeys the constraints: a = M^-1 (f + G^T
// lambda), lambda >= 0 for one-sided rows and zero where they do not touch. Redundant rows are
// allowed; contradicting ones are obeyed in the order they are given. `mass`: of a positive
// definite M.
std::vector<double> solve_constrained(const RankCholesky& mass, const std::vector<double>& force,
                                      const ConstraintRows& rows);

}  // namespace sinew::skeleton
