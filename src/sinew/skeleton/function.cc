#include "sinew/skeleton/function.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace sinew::skeleton {
namespace {

FunctionValue evaluate_polynomial(const std::vector<double>& coefficients, double x) {
  FunctionValue out{0, 0, 0};
  for (std::size_t i = coefficients.size();
       i-- > 0;) {  // Horner, for value and derivatives at once
    out.second = out.second * x + 2 * out.first;
    out.first = out.first * x + out.value;
    out.value = out.value * x + coefficients[i];
  }
  return out;
}

FunctionValue evaluate_spline(const Function& f, double x) {
  const std::size_t last = f.x.size() - 1;
  if (x <= f.x.front()) return {f.y[0] + f.b[0] * (x - f.x[0]), f.b[0], 0};
  if (x >= f.x.back()) return {f.y[last] + f.b[last] * (x - f.x[last]), f.b[last], 0};
  const auto after = std::upper_bound(f.x.begin(), f.x.end(), x);
  const auto i = static_cast<std::size_t>(after - f.x.begin()) - 1;
  const double h = x - f.x[i];
  return {f.y[i] + h * (f.b[i] + h * (f.c[i] + h * f.d[i])),
          f.b[i] + h * (2 * f.c[i] + h * 3 * f.d[i]), 2 * f.c[i] + 6 * h * f.d[i]};
}

FunctionValue evaluate_sine(const std::vector<double>& k, double x) {
  const double phase = k[1] * x + k[2];
  return {k[0] * std::sin(phase) + k[3], k[0] * k[1] * std::cos(phase),
          -k[0] * k[1] * k[1] * std::sin(phase)};
}

void check_knots(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2 || x.size() != y.size())
    throw std::invalid_argument("a spline needs at least two points and as many values");
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw std::invalid_argument("a spline's points must be finite");
    if (i > 0 && x[i] <= x[i - 1])
      throw std::invalid_argument("a spline's points must increase strictly");
  }
}

// The third divided difference of four neighbouring points, a sixth of the third derivative of the
// cubic through them.
double third_difference(const std::vector<double>& x, const std::vector<double>& y, std::size_t i) {
  const auto slope = [&](std::size_t k) { return (y[k + 1] - y[k]) / (x[k + 1] - x[k]); };
  const double left = (slope(i + 1) - slope(i)) / (x[i + 2] - x[i]);
  const double right = (slope(i + 2) - slope(i + 1)) / (x[i + 3] - x[i + 1]);
  return (right - left) / (x[i + 3] - x[i]);
}

// Half the second derivatives at the knots: the tridiagonal equations of slopes that match.
std::vector<double> solve_curvatures(const std::vector<double>& x, const std::vector<double>& y,
                                     SplineEnds ends) {
  const std::size_t n = x.size();
  const double first = x[1] - x[0], last = x[n - 1] - x[n - 2];
  std::vector<double> diagonal(n, 1), upper(n, 0), lower(n, 0), right(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
    lower[i] = before, upper[i] = after, diagonal[i] = 2 * (before + after);
    right[i] = 3 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
  }
  if (ends == SplineEnds::kThirdDerivative) {
    // c_1 - c_0 = 3 d h with d of the cubic through the four end points; three points: one
    // parabola.
    const double d_first = n > 3 ? third_difference(x, y, 0) : 0;
    const double d_last = n > 3 ? third_difference(x, y, n - 4) : 0;
    diagonal[0] = -first, upper[0] = first, right[0] = 3 * d_first * first * first;
    diagonal[n - 1] = -last, lower[n - 1] = last, right[n - 1] = -3 * d_last * last * last;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  std::vector<double> c(n);
  c[n - 1] = right[n - 1] / diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) c[i] = (right[i] - upper[i] * c[i + 1]) / diagonal[i];
  return c;
}

}  // namespace

FunctionValue evaluate(const Function& function, double x) {
  FunctionValue out{0, 0, 0};
  switch (function.kind) {
    case Function::Kind::kConstant:
      out.value = function.coefficients[0];
      break;
    case Function::Kind::kPolynomial:
      out = evaluate_polynomial(function.coefficients, x);
      break;
    case Function::Kind::kSpline:
      out = evaluate_spline(function, x);
      break;
    case Function::Kind::kSine:
      out = evaluate_sine(function.coefficients, x);
      break;
  }
  return {function.scale * out.value, function.scale * out.first, function.scale * out.second};
}

Function make_constant(double value) {
  Function out;
  out.coefficients = {value};
  return out;
}

Function make_line(double slope, double intercept) {
  Function out;
  out.kind = Function::Kind::kPolynomial;
  out.coefficients = {intercept, slope};
  return out;
}

Function make_piecewise_line(const std::vector<double>& x, const std::vector<double>& y) {
  check_knots(x, y);
  const std::size_t n = x.size();
  Function out;
  out.kind = Function::Kind::kSpline;
  out.x = x, out.y = y;
  out.b.resize(n), out.c.assign(n, 0), out.d.assign(n, 0);
  for (std::size_t i = 0; i + 1 < n; ++i) out.b[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  out.b[n - 1] = out.b[n - 2];
  return out;
}

Function make_spline(const std::vector<double>& x, const std::vector<double>& y, SplineEnds ends) {
  Function out = make_piecewise_line(x, y);
  const std::size_t n = x.size();
  if (n == 2) return out;
  if (n == 3 && ends == SplineEnds::kThirdDerivative) {
    const double c = (out.b[1] - out.b[0]) / (x[2] - x[0]);
    out.c.assign(n, c);
  } else {
    out.c = solve_curvatures(x, y, ends);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = x[i + 1] - x[i];
    out.d[i] = (out.c[i + 1] - out.c[i]) / (3 * h);
    out.b[i] = (y[i + 1] - y[i]) / h - h * (2 * out.c[i] + out.c[i + 1]) / 3;
  }
  const double h = x[n - 1] - x[n - 2];
  out.b[n - 1] = out.b[n - 2] + h * (2 * out.c[n - 2] + 3 * h * out.d[n - 2]);
  return out;
}

}  // namespace sinew::skeleton
