#include "sinew/material/corner_curve.h"

#include <algorithm>
#include <array>

#include "sinew/core/error.h"
#include "sinew/material/bracketed_newton.h"

namespace sinew::material {
namespace {

// Of five times the control points' differences; a doubled control point on each side keeps the
// curvature zero at the ends.
struct Axis {
  double p0, p1, p2, p3;  // p1 and p2 count twice

  CurveValue at(double u) const {
    const double v = 1 - u;
    const double value =
        p0 * v * v * v * v * v + p1 * (5 * v * v * v * v * u + 10 * v * v * v * u * u) +
        p2 * (10 * v * v * u * u * u + 5 * v * u * u * u * u) + p3 * u * u * u * u * u;
    const double slope =
        5 * ((p1 - p0) * v * v * v * v + 6 * (p2 - p1) * v * v * u * u + (p3 - p2) * u * u * u * u);
    return {value, slope};
  }
};

// y and dy/dx at x, on the piece between two knots.
CurveValue evaluate_piece(const CurveKnot& a, const CurveKnot& b, double x) {
  const double lean = 0.1 + 0.8 * a.curviness;
  const double turn = a.slope - b.slope;
  const double meet =
      turn == 0 ? 0.5 * (a.x + b.x) : (b.y - a.y + a.slope * a.x - b.slope * b.x) / turn;
  const double corner = a.y + a.slope * (meet - a.x);
  const Axis xs{a.x, a.x + lean * (meet - a.x), b.x + lean * (meet - b.x), b.x};
  const Axis ys{a.y, a.y + lean * (corner - a.y), b.y + lean * (corner - b.y), b.y};
  const double u = find_bracketed_zero(
      [&](double t) {
        const CurveValue at = xs.at(t);
        return CurveValue{at.value - x, at.slope};
      },
      0, 1);
  return {ys.at(u).value, ys.at(u).slope / xs.at(u).slope};
}

}  // namespace

Curve make_corner_curve(std::span<const CurveKnot> knots) {
  SINEW_CHECK(knots.size() >= 2, "a corner curve needs two knots");
  const auto evaluate_at = [&](double x) {
    if (x <= knots.front().x) return CurveValue{knots.front().y, knots.front().slope};
    if (x >= knots.back().x) return CurveValue{knots.back().y, knots.back().slope};
    std::size_t i = 0;
    while (x > knots[i + 1].x) ++i;
    return evaluate_piece(knots[i], knots[i + 1], x);
  };
  return make_curve(
      {knots.front().x, knots.back().x, knots.front().slope, knots.back().slope},
      [&](double x) { return evaluate_at(x).value; },
      [&](double x) { return evaluate_at(x).slope; });
}

}  // namespace sinew::material
