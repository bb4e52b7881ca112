// A sparse LDL^T factorisation of a symmetric matrix: static solutions, shift-invert for modes and
// Newton steps. Eigen does the work, behind this header.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/brick/sparse_matrix.h"

namespace sinew::brick {

// The rows and columns of A whose entry in `kept` is not zero, and only those.
SparseMatrix restrict_to(const SparseMatrix& A, std::span<const char> kept);

// X Y^T for rows X and Y (count x any, by rows), whose product is symmetric: its lower half, by
// rows; zero above.
std::vector<double> multiply_lower(std::span<const double> X, std::span<const double> Y,
                                   std::size_t count);

class DirectSolver {
 public:
  DirectSolver();
  ~DirectSolver();
  DirectSolver(const DirectSolver&) = delete;
  DirectSolver& operator=(const DirectSolver&) = delete;

  // Of a symmetric A (both halves are stored). A matrix of as many rows and entries as the last one
  // must have them in the same places: the order of elimination is kept. False where a pivot is
  // zero: nothing can be solved then.
  bool factorise(const SparseMatrix& A);

  // x = A^-1 b. Precondition: factorise() returned true.
  std::vector<double> solve(std::span<const double> b) const;

  // B A^-1 B^T for rows B (count x rows of A, by rows): the lower half of a (count x count) matrix
  // by rows. Half the work of solving for each row, and in lanes.
  std::vector<double> compute_response(std::span<const double> B, std::size_t count) const;

  // How many pivots were negative: 0 says that A is positive definite.
  std::size_t num_negative_pivots() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::brick
