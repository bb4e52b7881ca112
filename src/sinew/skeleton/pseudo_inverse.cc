#include "sinew/skeleton/pseudo_inverse.h"

#include <algorithm>
#include <cmath>

namespace sinew::skeleton {
namespace {

double dot_rows(const DenseMatrix& a, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < a.columns; ++k) sum += a(i, k) * a(j, k);
  return sum;
}

void rotate_rows(DenseMatrix& a, std::size_t i, std::size_t j, double c, double s) {
  for (std::size_t k = 0; k < a.columns; ++k) {
    const double x = a(i, k), y = a(j, k);
    a(i, k) = c * x - s * y;
    a(j, k) = s * x + c * y;
  }
}

// Makes two rows orthogonal; false where they are but for rounding.
bool orthogonalise(PseudoInverse& out, std::size_t i, std::size_t j) {
  const double a = dot_rows(out.right, i, i), b = dot_rows(out.right, j, j);
  const double mixed = dot_rows(out.right, i, j);
  if (std::abs(mixed) <= 1e-15 * std::sqrt(a * b) || mixed == 0) return false;
  const double tau = (b - a) / (2 * mixed);
  const double t = std::copysign(1 / (std::abs(tau) + std::hypot(1, tau)), tau);
  const double c = 1 / std::hypot(1, t);
  rotate_rows(out.right, i, j, c, c * t);
  rotate_rows(out.left, i, j, c, c * t);
  return true;
}

}  // namespace

PseudoInverse make_pseudo_inverse(const DenseMatrix& a, double cut) {
  PseudoInverse out;
  out.right = a;
  out.left.assign(a.rows, a.rows, 0);
  for (std::size_t i = 0; i < a.rows; ++i) out.left(i, i) = 1;
  bool changed = true;
  for (int sweep = 0; changed && sweep < 60; ++sweep) {
    changed = false;
    for (std::size_t i = 0; i < a.rows; ++i)
      for (std::size_t j = i + 1; j < a.rows; ++j) changed = orthogonalise(out, i, j) || changed;
  }
  out.squares.resize(a.rows);
  double most = 0;
  for (std::size_t i = 0; i < a.rows; ++i) {
    out.squares[i] = dot_rows(out.right, i, i);
    most = std::max(most, out.squares[i]);
  }
  for (double& square : out.squares)
    if (square <= cut * cut * most) square = 0;
  return out;
}

std::vector<double> solve_least_squares(const PseudoInverse& inverse, const std::vector<double>& b,
                                        double damping) {
  std::vector<double> x(inverse.right.columns, 0);
  for (std::size_t i = 0; i < inverse.squares.size(); ++i) {
    if (inverse.squares[i] == 0) continue;
    double part = 0;
    for (std::size_t k = 0; k < b.size(); ++k) part += inverse.left(i, k) * b[k];
    part /= inverse.squares[i] + damping;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += part * inverse.right(i, k);
  }
  return x;
}

std::vector<double> project_to_null_space(const PseudoInverse& inverse,
                                          const std::vector<double>& x) {
  std::vector<double> out = x;
  for (std::size_t i = 0; i < inverse.squares.size(); ++i) {
    if (inverse.squares[i] == 0) continue;
    double part = 0;
    for (std::size_t k = 0; k < x.size(); ++k) part += inverse.right(i, k) * out[k];
    part /= inverse.squares[i];
    for (std::size_t k = 0; k < x.size(); ++k) out[k] -= part * inverse.right(i, k);
  }
  return out;
}

}  // namespace sinew::skeleton
