#include "sinew/material/curve.h"

#include <algorithm>
#include <vector>

#include "sinew/core/error.h"

namespace sinew::material {
namespace {

// Slopes at the points that make the cubics between them a spline, the two end slopes given: the
// second derivative is continuous at inner points, a tridiagonal system (Thomas).
std::vector<double> solve_slopes(std::span<const CurvePoint> points, double first, double last) {
  const std::size_t n = points.size();
  std::vector<double> slopes(n), upper(n);
  slopes.front() = first;
  slopes.back() = last;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = points[i].x - points[i - 1].x, h1 = points[i + 1].x - points[i].x;
    const double s0 = (points[i].y - points[i - 1].y) / h0;
    const double s1 = (points[i + 1].y - points[i].y) / h1;
    const double pivot = 2 * (h0 + h1) - h1 * upper[i - 1];
    upper[i] = h0 / pivot;
    slopes[i] = (3 * (h1 * s0 + h0 * s1) - h1 * slopes[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) slopes[i] -= upper[i] * slopes[i + 1];
  return slopes;
}

struct Cubic {
  double a0, a1, a2, a3;  // in u = 0..1
};
Cubic make_hermite(double spacing, double y0, double y1, double slope0, double slope1) {
  const double d0 = slope0 * spacing, d1 = slope1 * spacing, rise = y1 - y0;
  return {y0, d0, 3 * rise - 2 * d0 - d1, d0 + d1 - 2 * rise};
}

std::vector<double> grid_of(const CurveShape& shape) {
  SINEW_CHECK(shape.begin < shape.end, "a curve needs begin < end");
  std::vector<double> x(kCurvePieces + 1);
  for (int i = 0; i <= kCurvePieces; ++i) {
    x[i] = shape.begin + (shape.end - shape.begin) * i / kCurvePieces;
  }
  return x;
}

Curve assemble(const CurveShape& shape, const std::vector<double>& values,
               const std::vector<double>& slopes) {
  Curve curve;
  curve.begin = shape.begin;
  curve.end = shape.end;
  curve.spacing = (shape.end - shape.begin) / kCurvePieces;
  curve.inverse_spacing = 1 / curve.spacing;
  curve.below_slope = shape.below_slope;
  curve.above_slope = shape.above_slope;
  curve.above_inverse = shape.above_inverse;
  double integral = 0;
  for (int i = 0; i < kCurvePieces; ++i) {
    const Cubic c = make_hermite(curve.spacing, values[i], values[i + 1], slopes[i], slopes[i + 1]);
    const double row[] = {c.a0, c.a1, c.a2, c.a3, integral};
    for (int r = 0; r < 5; ++r) curve.rows[r][i] = row[r];
    integral += curve.spacing * (c.a0 + c.a1 / 2 + c.a2 / 3 + c.a3 / 4);
  }
  const double at_zero = evaluate_integral(curve, find_place(curve, shape.zero));
  for (int i = 0; i < kCurvePieces; ++i) curve.rows[4][i] -= at_zero;
  for (int r = 0; r < 5; ++r) {
    for (int i = 0; i < kCurvePieces; ++i) {
      curve.float_rows[r][i] = static_cast<float>(curve.rows[r][i]);
    }
  }
  return curve;
}

}  // namespace

Curve make_curve(const CurveShape& shape, const std::function<double(double)>& value,
                 const std::function<double(double)>& slope) {
  std::vector<double> values, slopes;
  for (const double x : grid_of(shape)) {
    values.push_back(value(x));
    slopes.push_back(slope(x));
  }
  return assemble(shape, values, slopes);
}

Curve make_spline(const CurveShape& shape, const std::function<double(double)>& value) {
  std::vector<CurvePoint> points;
  std::vector<double> values;
  for (const double x : grid_of(shape)) {
    values.push_back(value(x));
    points.push_back({x, values.back()});
  }
  return assemble(shape, values, solve_slopes(points, shape.below_slope, shape.above_slope));
}

Curve make_spline_through(std::span<const CurvePoint> points, double first_slope,
                          double last_slope) {
  SINEW_CHECK(points.size() >= 2, "a spline needs two points");
  const std::vector<double> slopes = solve_slopes(points, first_slope, last_slope);
  const auto value = [&](double x) {
    const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, x,
                                        [](double a, const CurvePoint& p) { return a < p.x; });
    const std::size_t i = static_cast<std::size_t>(above - points.begin()) - 1;
    const double spacing = points[i + 1].x - points[i].x;
    const Cubic c = make_hermite(spacing, points[i].y, points[i + 1].y, slopes[i], slopes[i + 1]);
    const double u = (x - points[i].x) / spacing;
    return c.a0 + u * (c.a1 + u * (c.a2 + u * c.a3));
  };
  return make_spline({points.front().x, points.back().x, first_slope, last_slope}, value);
}

Curve make_constant_curve(double value) {
  return make_curve(
      {0, 2}, [=](double) { return value; }, [](double) { return 0.0; });
}

}  // namespace sinew::material
