#include "sinew/skeleton/function.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

void expect_derivatives(const Function& f, double x) {
  const double h = 1e-5;
  const FunctionValue at = evaluate(f, x), before = evaluate(f, x - h), after = evaluate(f, x + h);
  // Central differences of smooth functions with values near 1: h^2 and rounding over h.
  EXPECT_NEAR(at.first, (after.value - before.value) / (2 * h), 1e-8);
  EXPECT_NEAR(at.second, (after.first - before.first) / (2 * h), 1e-8);
}

TEST(Function, EveryKindHasItsDerivatives) {
  Function sine;
  sine.kind = Function::Kind::kSine;
  sine.coefficients = {0.7, 2, 0.3, -0.1};
  Function cubic;
  cubic.kind = Function::Kind::kPolynomial;
  cubic.coefficients = {1, -2, 0.5, 0.25};
  cubic.scale = -2;
  const std::vector<double> x{0, 0.5, 1.2, 1.9, 3}, y{0.2, 1, 0.4, 0.1, 0.9};
  for (const Function& f :
       {make_constant(3), make_line(2, 1), sine, cubic, make_spline(x, y, SplineEnds::kNatural),
        make_spline(x, y, SplineEnds::kThirdDerivative)})
    for (const double at : {-0.4, 0.3, 0.77, 1.5, 2.4, 3.3}) expect_derivatives(f, at);
}

TEST(Function, SplinesPassThroughTheirPointsAndGoOnStraight) {
  const std::vector<double> x{-1, 0, 0.4, 2}, y{3, 1, 2, -1};
  for (const SplineEnds ends : {SplineEnds::kNatural, SplineEnds::kThirdDerivative}) {
    const Function f = make_spline(x, y, ends);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(evaluate(f, x[i]).value, y[i], 1e-14);
    EXPECT_NEAR(evaluate(f, 4).value, y[3] + 2 * evaluate(f, 2).first, 1e-13);
    EXPECT_NEAR(evaluate(f, -2).value, y[0] - evaluate(f, -1).first, 1e-13);
  }
}

TEST(Function, ThirdDerivativeEndsReproduceACubicAndAParabola) {
  const auto cubic = [](double t) { return 1 + t * (2 + t * (-3 + 0.5 * t)); };
  const std::vector<double> x{0, 0.3, 1, 1.4, 2.5};
  std::vector<double> y;
  for (const double t : x) y.push_back(cubic(t));
  const Function f = make_spline(x, y, SplineEnds::kThirdDerivative);
  for (const double t : {0.1, 0.6, 1.2, 2.2}) EXPECT_NEAR(evaluate(f, t).value, cubic(t), 1e-13);
  const Function parabola = make_spline({0, 1, 3}, {0, 1, 9}, SplineEnds::kThirdDerivative);
  EXPECT_NEAR(evaluate(parabola, 2).value, 4, 1e-14);
}

TEST(Function, NaturalEndsHaveNoCurvature) {
  const Function f = make_spline({0, 1, 2, 3}, {0, 1, 0, 1}, SplineEnds::kNatural);
  EXPECT_NEAR(evaluate(f, 1e-9).second, 0, 1e-7);
  EXPECT_NEAR(evaluate(f, 3 - 1e-9).second, 0, 1e-7);
}

TEST(Function, PointsThatDoNotIncreaseAreRefused) {
  EXPECT_THROW(make_spline({0, 0}, {1, 2}, SplineEnds::kNatural), std::invalid_argument);
  EXPECT_THROW(make_spline({0}, {1}, SplineEnds::kNatural), std::invalid_argument);
  EXPECT_THROW(make_piecewise_line({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(make_piecewise_line({0, 1}, {1, std::numeric_limits<double>::infinity()}),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::skeleton
