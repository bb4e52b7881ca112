// A smooth function of one variable as piecewise cubics on a uniform grid, with its exact integral:
// the tension of a fibre over its stretch, and its energy. Read by `double` and by SIMD lanes
// alike, through tables small enough to stay in the nearest cache.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "sinew/material/fiber.h"

namespace sinew::material {

inline constexpr int kCurvePieces = 64;

// On piece i, with u in 0..1 along it: row[0] + row[1] u + row[2] u^2 + row[3] u^3; row[4] is the
// integral from the curve's zero to the piece's begin. Outside begin..end straight on, with slopes
// of their own; above the end a hyperbola may come on top: above_inverse (1/x - 1/end).
struct Curve {
  double begin = 0, end = 1;
  double spacing = 1.0 / kCurvePieces, inverse_spacing = kCurvePieces;
  double below_slope = 0, above_slope = 0;
  double above_inverse = 0;
  double rows[5][kCurvePieces] = {};
  float float_rows[5][kCurvePieces] = {};
};

// Where x lies on a curve.
template <class T>
struct CurvePlace {
  decltype(index_of(T())) piece;
  T u;             // 0..1
  T below, above;  // x - begin where negative, x - end where positive, or else zero
};

template <class T>
[[gnu::always_inline]] inline CurvePlace<T> find_place(const Curve& curve, const T& x) {
  const T zero(0);
  // The order of the comparisons sends a NaN to the begin, so that no table is read outside.
  const T inside = max((x - T(curve.begin)) * T(curve.inverse_spacing), zero);
  const T steps = min(inside, T(kCurvePieces));
  const auto piece = index_of(min(inside, T(kCurvePieces - 1)));
  return {piece, steps - to_real(piece, x), min(x - T(curve.begin), zero),
          max(x - T(curve.end), zero)};
}
template <class T>
[[gnu::always_inline]] inline T read_row(const Curve& curve, int row, const CurvePlace<T>& at) {
  return gather(Table{curve.rows[row], curve.float_rows[row]}, at.piece, at.u);
}

template <class T>
[[gnu::always_inline]] inline T evaluate(const Curve& curve, const CurvePlace<T>& at) {
  const T cubic = read_row(curve, 0, at) +
                  at.u * (read_row(curve, 1, at) +
                          at.u * (read_row(curve, 2, at) + at.u * read_row(curve, 3, at)));
  T result = cubic + T(curve.below_slope) * at.below + T(curve.above_slope) * at.above;
  // One decision for all lanes: most curves have no hyperbola.
  if (curve.above_inverse != 0) {
    const T end(curve.end);
    result -= T(curve.above_inverse / curve.end) * (at.above / (end + at.above));
  }
  return result;
}
template <class T>
[[gnu::always_inline]] inline T evaluate_slope(const Curve& curve, const CurvePlace<T>& at) {
  const T cubic = (read_row(curve, 1, at) +
                   at.u * (T(2) * read_row(curve, 2, at) + at.u * T(3) * read_row(curve, 3, at))) *
                  T(curve.inverse_spacing);
  T outside(curve.above_slope);
  if (curve.above_inverse != 0) {
    const T inverse = T(1) / (T(curve.end) + at.above);
    outside -= T(curve.above_inverse) * inverse * inverse;
  }
  const T above = select(at.above > T(0), outside, cubic);
  return select(at.below < T(0), T(curve.below_slope), above);
}
// The integral of the curve, zero where make_curve put its zero.
template <class T>
[[gnu::always_inline]] inline T evaluate_integral(const Curve& curve, const CurvePlace<T>& at) {
  const T a0 = read_row(curve, 0, at), a1 = read_row(curve, 1, at);
  const T a2 = read_row(curve, 2, at), a3 = read_row(curve, 3, at);
  const T inner_part =
      at.u * (a0 + at.u * (a1 * T(0.5) + at.u * (a2 * T(1.0 / 3) + at.u * a3 * T(0.25))));
  const T edge = a0 + at.u * (a1 + at.u * (a2 + at.u * a3));  // the value at begin or end
  T outside = at.below * (edge + T(0.5 * curve.below_slope) * at.below) +
              at.above * (edge + T(0.5 * curve.above_slope) * at.above);
  if (curve.above_inverse != 0) {
    using std::log;
    const T ratio = at.above * T(1 / curve.end);
    outside += T(curve.above_inverse) * (log(T(1) + ratio) - ratio);
  }
  return read_row(curve, 4, at) + T(curve.spacing) * inner_part + outside;
}

// What a curve is made of; `zero` is where its integral is zero.
struct CurveShape {
  double begin, end;  // begin < end
  double below_slope = 0, above_slope = 0;
  double zero = 1;
  double above_inverse = 0;
};

// Cubics with the function's values and slopes at the grid points: continuous slope, error near
// spacing^4/384 of the fourth derivative; a kink on a grid point stays exact.
Curve make_curve(const CurveShape& shape, const std::function<double(double)>& value,
                 const std::function<double(double)>& slope);
// The spline (continuous second derivative) with the function's values at the grid points and the
// shape's two slopes at its ends.
Curve make_spline(const CurveShape& shape, const std::function<double(double)>& value);

struct CurvePoint {
  double x, y;
};
// The spline through points that are anywhere (x increasing, at least two), from the first to the
// last, with the given slopes at both ends; re-sampled on the grid.
Curve make_spline_through(std::span<const CurvePoint> points, double first_slope,
                          double last_slope);

// The constant curve, such as an active tension that does not depend on the stretch.
Curve make_constant_curve(double value);

}  // namespace sinew::material
