#include "sinew/skeleton/quintic_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace sinew::skeleton {
namespace {

using Pair = std::array<double, 2>;                  // a rate and an acceleration
using Block = std::array<std::array<double, 2>, 2>;  // by rows

Pair multiply(const Block& a, const Pair& x) {
  return {a[0][0] * x[0] + a[0][1] * x[1], a[1][0] * x[0] + a[1][1] * x[1]};
}
Block multiply(const Block& a, const Block& b) {
  Block out{};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
  return out;
}
Block transposed(const Block& a) {
  return {{{a[0][0], a[1][0]}, {a[0][1], a[1][1]}}};
}
Block inverted(const Block& a) {
  const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  return {{{a[1][1] / det, -a[0][1] / det}, {-a[1][0] / det, a[0][0] / det}}};
}

// Equation (43): one piece's part of the integral of the third derivative's square, as a quadratic
// in the rates and accelerations of its ends; `slope` is that of the chord.
struct Piece {
  Block first, mixed, second;
  Pair first_right, second_right;
};
Piece make_piece(double h, double slope) {
  const double a = 192 / (h * h * h), b = 36 / (h * h), c = 9 / h;
  const double d = 168 / (h * h * h), e = 24 / (h * h), f = 3 / h;
  const double p = 360 * slope / (h * h * h), r = 60 * slope / (h * h);
  return {{{{a, b}, {b, c}}}, {{{d, -e}, {e, -f}}}, {{{a, -b}, {-b, c}}}, {p, r}, {p, -r}};
}

void check_samples(const std::vector<double>& times, const std::vector<double>& values) {
  if (times.empty() || times.size() != values.size())
    throw std::invalid_argument("a spline in time needs samples, as many values as times");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw std::invalid_argument("a spline's times and values must be finite");
    if (i > 0 && times[i] <= times[i - 1])
      throw std::invalid_argument("a spline's times must increase strictly");
  }
}

// Equation (44): a positive definite system of 2 x 2 blocks on three diagonals, from the first to
// the last and back.
void solve_blocks(std::vector<Block>& diagonal, const std::vector<Block>& upper,
                  std::vector<Pair>& right) {
  const std::size_t count = diagonal.size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const Block factor = multiply(transposed(upper[i]), inverted(diagonal[i]));
    const Block taken = multiply(factor, upper[i]);
    const Pair pushed = multiply(factor, right[i]);
    for (std::size_t r = 0; r < 2; ++r) {
      right[i + 1][r] -= pushed[r];
      for (std::size_t c = 0; c < 2; ++c) diagonal[i + 1][r][c] -= taken[r][c];
    }
  }
  for (std::size_t i = count; i-- > 0;) {
    if (i + 1 < count) {
      const Pair known = multiply(upper[i], right[i + 1]);
      right[i] = {right[i][0] - known[0], right[i][1] - known[1]};
    }
    right[i] = multiply(inverted(diagonal[i]), right[i]);
  }
}

}  // namespace

QuinticSpline make_quintic_spline(const std::vector<double>& times,
                                  const std::vector<double>& values) {
  check_samples(times, values);
  const std::size_t count = times.size();
  QuinticSpline out{times, values, std::vector<double>(count, 0), std::vector<double>(count, 0)};
  if (count == 2) {
    out.rates.assign(2, (values[1] - values[0]) / (times[1] - times[0]));
    return out;
  }
  if (count == 1) return out;
  std::vector<Block> diagonal(count, Block{}), upper(count - 1);
  std::vector<Pair> right(count, Pair{});
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double h = times[i + 1] - times[i];
    const Piece piece = make_piece(h, (values[i + 1] - values[i]) / h);
    upper[i] = piece.mixed;
    for (std::size_t r = 0; r < 2; ++r) {
      right[i][r] += piece.first_right[r];
      right[i + 1][r] += piece.second_right[r];
      for (std::size_t c = 0; c < 2; ++c) {
        diagonal[i][r][c] += piece.first[r][c];
        diagonal[i + 1][r][c] += piece.second[r][c];
      }
    }
  }
  solve_blocks(diagonal, upper, right);
  for (std::size_t i = 0; i < count; ++i) {
    out.rates[i] = right[i][0];
    out.accelerations[i] = right[i][1];
  }
  return out;
}

FunctionValue evaluate(const QuinticSpline& spline, double time) {
  const std::vector<double>& t = spline.times;
  const std::size_t count = t.size();
  const bool before = time <= t.front(), after = time >= t.back();
  if (before || after) {
    const std::size_t end = before ? 0 : count - 1;
    const double s = time - t[end], u = spline.rates[end], a = spline.accelerations[end];
    return {spline.values[end] + s * (u + s * a / 2), u + s * a, a};
  }
  const auto i =
      static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  const double h = t[i + 1] - t[i], s = (time - t[i]) / h;
  // In units of the piece: equation (42).
  const double step = spline.values[i + 1] - spline.values[i];
  const double u0 = h * spline.rates[i], u1 = h * spline.rates[i + 1];
  const double a0 = h * h * spline.accelerations[i], a1 = h * h * spline.accelerations[i + 1];
  const double c3 = (20 * step - 8 * u1 - 12 * u0 - 3 * a0 + a1) / 2;
  const double c4 = (-30 * step + 14 * u1 + 16 * u0 + 3 * a0 - 2 * a1) / 2;
  const double c5 = (12 * step - 6 * (u1 + u0) - a0 + a1) / 2;
  return {spline.values[i] + s * (u0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5)))),
          (u0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h,
          (a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h)};
}

}  // namespace sinew::skeleton
