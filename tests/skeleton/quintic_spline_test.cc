#include "sinew/skeleton/quintic_spline.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

TEST(QuinticSpline, ReproducesParabolasAndGoesThroughTheSamples) {
  const std::vector<double> times{0, 0.1, 0.35, 0.4, 1};
  std::vector<double> values;
  for (const double t : times) values.push_back(1 - 2 * t + 3 * t * t);
  const QuinticSpline spline = make_quintic_spline(times, values);
  for (const double t : {-0.2, 0.0, 0.05, 0.2, 0.4, 0.77, 1.3}) {
    const FunctionValue at = evaluate(spline, t);
    EXPECT_NEAR(at.value, 1 - 2 * t + 3 * t * t, 1e-12);
    EXPECT_NEAR(at.first, -2 + 6 * t, 1e-11);
    EXPECT_NEAR(at.second, 6, 1e-9);
  }
}

TEST(QuinticSpline, PiecesAgreeUpToTheFourthDerivativeAndEndsAreNatural) {
  const std::vector<double> times{0, 0.4, 1, 1.3, 2.1, 2.5}, values{1, -0.5, 0.3, 0.9, -1, 0.2};
  const QuinticSpline spline = make_quintic_spline(times, values);
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(evaluate(spline, times[i]).value, values[i], 1e-13);
  // Third and fourth derivatives by differences of the second within one piece on either side.
  const double h = 1e-3;
  const auto third = [&](double t) {
    return (evaluate(spline, t + h).second - evaluate(spline, t - h).second) / (2 * h);
  };
  const auto fourth = [&](double t) {
    return (evaluate(spline, t + h).second - 2 * evaluate(spline, t).second +
            evaluate(spline, t - h).second) /
           (h * h);
  };
  // Each side is looked at 2 h away; with fifth derivatives near 1e4 that is worth 1e4 * 4 h.
  for (const double t : {0.4, 1.0, 1.3, 2.1}) {
    EXPECT_NEAR(evaluate(spline, t - 1e-9).second, evaluate(spline, t + 1e-9).second, 1e-4);
    EXPECT_NEAR(third(t - 2 * h), third(t + 2 * h), 0.05 * (1 + std::abs(fourth(t))));
    EXPECT_NEAR(fourth(t - 2 * h), fourth(t + 2 * h), 100);
  }
  EXPECT_NEAR(third(2 * h), 0, 0.1);
  EXPECT_NEAR(fourth(2 * h), 0, 60);
}

TEST(QuinticSpline, ConvergesToTheDerivativesOfASmoothCurve) {
  const auto error = [](std::size_t count) {
    std::vector<double> times(count), values(count);
    for (std::size_t i = 0; i < count; ++i) {
      times[i] = 6 * static_cast<double>(i) / static_cast<double>(count - 1);
      values[i] = std::sin(times[i]);
    }
    return std::abs(evaluate(make_quintic_spline(times, values), 3.1).second + std::sin(3.1));
  };
  EXPECT_LT(error(61), error(31) / 10);  // fourth order: 16
  EXPECT_LT(error(121), 1e-6);
}

TEST(QuinticSpline, TakesOneAndTwoSamplesAndRefusesBadOnes) {
  EXPECT_EQ(evaluate(make_quintic_spline({1}, {4}), 3).value, 4);
  EXPECT_NEAR(evaluate(make_quintic_spline({1, 2}, {4, 6}), 1.25).value, 4.5, 1e-15);
  EXPECT_THROW(make_quintic_spline({}, {}), std::invalid_argument);
  EXPECT_THROW(make_quintic_spline({0, 0, 1}, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(make_quintic_spline({0, 1, 2}, {1, NAN, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace sinew::skeleton
