#include "sinew/solver/dense_matrix.h"

#include <cmath>

namespace sinew::solver {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> multiply(const DenseMatrix& A, std::span<const double> x) {
  std::vector<double> y(A.rows);
  for (std::size_t i = 0; i < A.rows; ++i) y[i] = dot(A.row(i), x);
  return y;
}

std::vector<double> multiply_transposed(const DenseMatrix& A, std::span<const double> y) {
  std::vector<double> x(A.columns, 0.0);
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.columns; ++j) x[j] += A(i, j) * y[i];
  }
  return x;
}

std::size_t factorise_cholesky(DenseMatrix& A, double tolerance) {
  std::size_t left_out = 0;
  for (std::size_t j = 0; j < A.rows; ++j) {
    const auto row = A.row(j);
    const double diagonal = row[j];
    const double pivot = diagonal - dot(row.first(j), row.first(j));
    // Negated, so that a NaN is left out too.
    const bool is_pivot = pivot > tolerance * std::abs(diagonal) && pivot > 0;
    if (!is_pivot) ++left_out;
    const double root = is_pivot ? std::sqrt(pivot) : 0;
    row[j] = root;
    for (std::size_t i = j + 1; i < A.rows; ++i) {
      const auto below = A.row(i);
      below[j] = is_pivot ? (below[j] - dot(below.first(j), row.first(j))) / root : 0;
    }
  }
  return left_out;
}

void solve_cholesky(const DenseMatrix& L, std::span<double> x) {
  for (std::size_t i = 0; i < L.rows; ++i) {
    const double rest = x[i] - dot(L.row(i).first(i), x.first(i));
    x[i] = L(i, i) > 0 ? rest / L(i, i) : 0;
  }
  for (std::size_t i = L.rows; i-- > 0;) {
    double rest = x[i];
    for (std::size_t k = i + 1; k < L.rows; ++k) rest -= L(k, i) * x[k];
    x[i] = L(i, i) > 0 ? rest / L(i, i) : 0;
  }
}

}  // namespace sinew::solver
