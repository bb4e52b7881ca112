// A function of one variable with its derivatives: how joints follow coordinates, coordinates each
// other, and moving points a coordinate. Plain data, so that it copies and compares.
//
// Splines are cubics a piece, y = y_i + h (b_i + h (c_i + h d_i)), h = x - x_i, extended by
// straight lines with the end slopes. Source: OPENSIM rules in docs/theory/skeleton.md.
#pragma once

#include <vector>

namespace sinew::skeleton {

struct Function {
  enum class Kind {
    kConstant,    // y = coefficients[0]
    kPolynomial,  // coefficients from the constant upwards; a straight line has two
    kSpline,      // x, y, b, c, d; a piecewise straight one has c = d = 0
    kSine,        // amplitude, angular frequency, phase, offset in `coefficients`
  };
  Kind kind = Kind::kConstant;
  std::vector<double> coefficients = {0};
  std::vector<double> x, y, b, c, d;
  double scale = 1;  // factor on the whole
};

struct FunctionValue {
  double value, first, second;  // the function and its derivatives
};

FunctionValue evaluate(const Function& function, double x);

Function make_constant(double value);
Function make_line(double slope, double intercept);

enum class SplineEnds {
  kThirdDerivative,  // that of the cubic through the four end points (Forsythe, Malcolm, Moler
                     // 1977)
  kNatural,          // no curvature at the ends
};
// Interpolating spline. Throws std::invalid_argument unless x is strictly increasing, finite, with
// as many y and at least two points.
Function make_spline(const std::vector<double>& x, const std::vector<double>& y, SplineEnds ends);
Function make_piecewise_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace sinew::skeleton
