#include "sinew/material/curve.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/material/fiber_curves.h"
#include "sinew/material/force_velocity.h"

namespace sinew::material {
namespace {

double value(const Curve& c, double x) {
  return evaluate(c, find_place(c, x));
}
double slope(const Curve& c, double x) {
  return evaluate_slope(c, find_place(c, x));
}
double integral(const Curve& c, double x) {
  return evaluate_integral(c, find_place(c, x));
}
// The second derivative just left or right of x.
double curvature(const Curve& c, double x, double side) {
  constexpr double kStep = 1e-6;
  return (slope(c, x + 2 * side * kStep) - slope(c, x + side * kStep)) / (side * kStep);
}

Curve make_sine() {
  return make_spline({0.5, 2.5, std::cos(0.5), std::cos(2.5)},
                     [](double x) { return std::sin(x); });
}

TEST(Curve, SplineFollowsTheFunctionToFourthOrder) {
  const Curve c = make_sine();
  for (double x = 0.5; x <= 2.5; x += 0.0137) {
    EXPECT_NEAR(value(c, x), std::sin(x), 2e-8);  // 5/384 spacing^4
    EXPECT_NEAR(slope(c, x), std::cos(x), 2e-6);  // 1/24 spacing^3
    EXPECT_NEAR(integral(c, x), std::cos(1) - std::cos(x), 2e-8);
  }
}

TEST(Curve, SlopeAndIntegralAreThoseOfTheValue) {
  const Curve c = make_sine();
  constexpr double kStep = 1e-5;
  for (double x = 0.2; x <= 3; x += 0.0291) {
    EXPECT_NEAR(slope(c, x), (value(c, x + kStep) - value(c, x - kStep)) / (2 * kStep), 1e-6);
    EXPECT_NEAR(value(c, x), (integral(c, x + kStep) - integral(c, x - kStep)) / (2 * kStep), 1e-9);
  }
  EXPECT_EQ(integral(c, 1), 0);
}

TEST(Curve, GoesStraightOnOutside) {
  const Curve c = make_sine();
  EXPECT_NEAR(value(c, 0), std::sin(0.5) - 0.5 * std::cos(0.5), 1e-12);
  EXPECT_NEAR(value(c, 4), std::sin(2.5) + 1.5 * std::cos(2.5), 1e-12);
  EXPECT_NEAR(value(c, 1e30), 1e30 * std::cos(2.5), 1e18);
  EXPECT_TRUE(std::isfinite(value(c, -1e30)));
  EXPECT_EQ(value(c, std::nan("")), value(c, 0.5));  // no table is read outside
}

TEST(Curve, PublishedCurvesHaveContinuousStiffnessAndCurvature) {
  for (const Curve& c : {make_active_curve(), make_toe_curve(0.6, 4), make_toe_curve(0.03, 3)}) {
    double largest = 0, jump = 0;
    for (int i = 1; i < kCurvePieces; ++i) {
      const double x = c.begin + i * c.spacing;
      EXPECT_NEAR(slope(c, x - 1e-9), slope(c, x + 1e-9), 1e-5);
      largest = std::max(largest, std::abs(curvature(c, x, 1)));
      jump = std::max(jump, std::abs(curvature(c, x, 1) - curvature(c, x, -1)));
    }
    EXPECT_LT(jump, 1e-3 * largest);
    // At the ends the slope at least is continuous.
    EXPECT_NEAR(slope(c, c.begin + 1e-9), c.below_slope, 1e-5);
    EXPECT_NEAR(slope(c, c.end - 1e-9), c.above_slope, 1e-5);
  }
}

TEST(ActiveCurve, PassesThroughThePublishedPointsAndVanishesOutside) {
  const Curve c = make_active_curve();
  // Re-sampling the spline on the grid costs less than 1e-3 of the peak.
  EXPECT_NEAR(value(c, 0.52725), 0.226667, 1e-3);
  EXPECT_NEAR(value(c, 0.71875), 0.856667, 1e-3);
  EXPECT_NEAR(value(c, 1.045), 0.993333, 1e-3);
  EXPECT_NEAR(value(c, 1.43875), 0.246667, 1e-3);
  EXPECT_NEAR(value(c, 1), 1, 2e-3);
  for (const double l : {0.0, 0.3, 0.4, 1.62, 2.0}) EXPECT_NEAR(value(c, l), 0, 1e-15);
  for (double l = 0; l < 2; l += 0.001) {
    EXPECT_GE(value(c, l), -1e-12);
    EXPECT_LE(value(c, l), 1.001);
  }
}

TEST(ToeCurve, IsSlackThenExponentialThenStraight) {
  const Curve c = make_toe_curve(0.6, 4);
  EXPECT_EQ(value(c, 0.9), 0);
  EXPECT_EQ(value(c, 1), 0);
  EXPECT_NEAR(slope(c, 1.7), 1, 1e-12);
  EXPECT_NEAR(value(c, 2) - value(c, 1.8), 0.2, 1e-12);
  for (double l = 1; l < 2; l += 0.01) EXPECT_GE(slope(c, l), slope(c, l - 0.01) - 1e-12);
}

TEST(ForceVelocity, IsHillsCurve) {
  EXPECT_EQ(compute_force_velocity(-10), 0);
  EXPECT_EQ(compute_force_velocity(-15), 0);
  EXPECT_NEAR(compute_force_velocity(0), 1, 1e-12);
  EXPECT_NEAR(compute_force_velocity(-5), 0.5 / 3, 1e-4);  // (1 + v) / (1 - 4 v)
  EXPECT_GT(compute_force_velocity(8), 1.3);
  EXPECT_LT(compute_force_velocity(100), 1.4);
  EXPECT_EQ(compute_force_velocity(-1, 2), compute_force_velocity(-5, 10));
  for (double rate = -12; rate < 12; rate += 0.01) {
    EXPECT_GE(compute_force_velocity(rate), compute_force_velocity(rate - 0.01) - 1e-12);
  }
}

}  // namespace
}  // namespace sinew::material
