// Small dense matrices: products and Cholesky factors. For the quadratic programs of muscle force
// distribution and whoever has a few dozen unknowns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew::solver {

struct DenseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // (rows x columns) by rows

  DenseMatrix() = default;
  DenseMatrix(std::size_t num_rows, std::size_t num_columns)
      : rows(num_rows), columns(num_columns), values(num_rows * num_columns, 0.0) {}

  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
  std::span<double> row(std::size_t i) { return {values.data() + i * columns, columns}; }
  std::span<const double> row(std::size_t i) const {
    return {values.data() + i * columns, columns};
  }
};

double dot(std::span<const double> a, std::span<const double> b);

// A x (rows) and transpose(A) y (columns).
std::vector<double> multiply(const DenseMatrix& A, std::span<const double> x);
std::vector<double> multiply_transposed(const DenseMatrix& A, std::span<const double> y);

// Replaces the lower half of a symmetric A by its factor L, A = L L^T; the upper half is neither
// read nor written. A pivot below `tolerance` times its diagonal entry (or not positive) is taken
// for a row that depends on those before: it is left out, and solve gives it zero. Returns how many
// rows were left out; 0 says that A is positive definite.
std::size_t factorise_cholesky(DenseMatrix& A, double tolerance);

// x = A^-1 b in place, of the factor above.
void solve_cholesky(const DenseMatrix& L, std::span<double> x);

}  // namespace sinew::solver
