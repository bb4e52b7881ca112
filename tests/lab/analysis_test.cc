#include "sinew/lab/analysis.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sinew::lab {
namespace {

TEST(Analysis, TheSummitOfAParabolaIsExact) {
  std::vector<double> x, y;
  for (const double at : {0.0, 0.7, 1.1, 2.0, 2.4}) {
    x.push_back(at);
    y.push_back(3 - 2 * (at - 1.3) * (at - 1.3));
  }
  const Summit summit = find_summit(x, y);
  EXPECT_NEAR(summit.x, 1.3, 1e-12);
  EXPECT_NEAR(summit.y, 3, 1e-12);
  EXPECT_EQ(find_summit(std::vector{1.0, 2.0}, std::vector{5.0, 4.0}).x, 1);
}

TEST(Analysis, ARiseIsFoundBetweenPointsAndOnlyUpwards) {
  const std::vector<double> x{0, 1, 2, 3, 4}, y{5, 1, 2, 4, 0};
  EXPECT_NEAR(find_rise(x, y, 3), 2.5, 1e-12);
  EXPECT_NEAR(find_rise(x, y, 1.5), 1.5, 1e-12);
  EXPECT_TRUE(std::isnan(find_rise(x, y, 4.5)));
  EXPECT_TRUE(std::isnan(find_rise(x, y, 3, 3)));
}

TEST(Analysis, InterpolationIsStraightAndEndsAtTheEnds) {
  const std::vector<double> x{0, 1, 3}, y{1, 3, -1};
  EXPECT_NEAR(interpolate(x, y, 0.25), 1.5, 1e-12);
  EXPECT_NEAR(interpolate(x, y, 2), 1, 1e-12);
  EXPECT_EQ(interpolate(x, y, -1), 1);
  EXPECT_EQ(interpolate(x, y, 9), -1);
}

TEST(Analysis, AnExponentialIsFoundAgainAndALineHasNoFolds) {
  std::vector<double> x, exponential, line, parabola;
  for (int k = 0; k <= 20; ++k) {
    x.push_back(0.025 * k);
    exponential.push_back(0.7 * std::expm1(6.2 * x.back()));
    line.push_back(3 * x.back());
    parabola.push_back(4 * x.back() * x.back());
  }
  const ExponentialFit fit = fit_exponential(x, exponential);
  EXPECT_NEAR(fit.rate, 6.2, 1e-5);
  EXPECT_NEAR(fit.scale, 0.7, 1e-5);
  EXPECT_LT(fit.misfit, 1e-6);
  EXPECT_LT(fit_exponential(x, line).rate * 0.5, 0.01);
  // What the limit of tension-length stands on.
  EXPECT_NEAR(fit_exponential(x, parabola).misfit, 0.035, 0.005);
  EXPECT_NEAR(fit_exponential(x, parabola).rate * 0.5, 2.2, 0.05);
}

TEST(Analysis, DifferencesAreTakenWhereBothCurvesAre) {
  const std::vector<double> x{0, 1, 2}, y{0, 1, 2}, other_x{0.5, 2}, other_y{0.5, 1.7};
  EXPECT_NEAR(largest_difference(x, y, other_x, other_y), 0.3, 1e-12);
  EXPECT_TRUE(std::isinf(largest_difference(x, std::vector<double>{0, NAN, 2}, other_x, other_y)));
}

}  // namespace
}  // namespace sinew::lab
