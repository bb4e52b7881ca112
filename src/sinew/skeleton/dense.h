// Small dense matrices: normal equations of poses and their Cholesky factors. For problems of tens
// of unknowns, where a sparse solver would cost more than it saves.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew::skeleton {

// Row by row.
struct DenseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // (rows x columns)

  void assign(std::size_t num_rows, std::size_t num_columns, double value) {
    rows = num_rows;
    columns = num_columns;
    values.assign(rows * columns, value);
  }
  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  const double& operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

// out = A^T A; the whole square is filled. out: (A.columns x A.columns)
void compute_normal_matrix(const DenseMatrix& a, DenseMatrix& out);
// out = A^T x. x: (A.rows), out: (A.columns)
void multiply_transposed(const DenseMatrix& a, const std::vector<double>& x,
                         std::vector<double>& out);

double sum_of_squares(const std::vector<double>& x);
// The largest absolute value; 0 of none.
double largest_entry(const std::vector<double>& x);

// Puts L of A = L L^T into the lower triangle; false where A is not positive definite. Only the
// lower triangle of A is read.
bool factor_cholesky(DenseMatrix& a);
// x becomes the solution of L L^T x = x.
void solve_cholesky(const DenseMatrix& l, std::vector<double>& x);

}  // namespace sinew::skeleton
