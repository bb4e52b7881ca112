#include "sinew/skeleton/dense.h"

#include <algorithm>
#include <cmath>

namespace sinew::skeleton {

void compute_normal_matrix(const DenseMatrix& a, DenseMatrix& out) {
  const std::size_t n = a.columns;
  out.assign(n, n, 0);
  for (std::size_t r = 0; r < a.rows; ++r) {
    const double* row = &a.values[r * n];
    for (std::size_t i = 0; i < n; ++i) {
      if (row[i] == 0) continue;  // most bodies follow a few coordinates only
      double* target = &out.values[i * n];
      for (std::size_t j = 0; j <= i; ++j) target[j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) out(i, j) = out(j, i);
}

void multiply_transposed(const DenseMatrix& a, const std::vector<double>& x,
                         std::vector<double>& out) {
  out.assign(a.columns, 0);
  for (std::size_t r = 0; r < a.rows; ++r)
    for (std::size_t j = 0; j < a.columns; ++j) out[j] += a(r, j) * x[r];
}

double sum_of_squares(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return sum;
}

double largest_entry(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

bool factor_cholesky(DenseMatrix& a) {
  const std::size_t n = a.rows;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      if (i > j) {
        a(i, j) = sum / a(j, j);
      } else {
        if (!(sum > 0)) return false;
        a(i, i) = std::sqrt(sum);
      }
    }
  }
  return true;
}

void solve_cholesky(const DenseMatrix& l, std::vector<double>& x) {
  const std::size_t n = l.rows;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l(i, k) * x[k];
    x[i] /= l(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l(k, i) * x[k];
    x[i] /= l(i, i);
  }
}

}  // namespace sinew::skeleton
