#include "sinew/material/line_curves.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::material {
namespace {

constexpr LineLaw kLaws[] = {LineLaw::kThelen, LineLaw::kMillard, LineLaw::kHill};

LineShape shape_of(LineLaw law) {
  LineShape shape;
  shape.law = law;
  return shape;
}

using CurveFunction = CurveValue (*)(const LineShape&, double);

// Central differences of step 1e-6 are exact to 1e-9; none of the places below is a kink.
void expect_slope_is_derivative(CurveFunction curve, const LineShape& shape, double x) {
  constexpr double kStep = 1e-6;
  const double before = curve(shape, x - kStep).value, after = curve(shape, x + kStep).value;
  EXPECT_NEAR(curve(shape, x).slope, (after - before) / (2 * kStep), 1e-5) << x;
}

TEST(LineCurves, SlopesAreDerivatives) {
  for (const LineLaw law : kLaws) {
    const LineShape shape = shape_of(law);
    for (int i = 0; i < 60; ++i) {
      const double x = 0.3137 + 0.031 * i;
      expect_slope_is_derivative(compute_active_force, shape, x);
      expect_slope_is_derivative(compute_passive_force, shape, x);
      expect_slope_is_derivative(compute_tendon_force, shape, 0.98 + 0.0013 * i);
      expect_slope_is_derivative(compute_velocity_factor, shape, -1.46137 + 0.05 * i);
    }
  }
}

TEST(LineCurves, PassThroughTheirDefiningPoints) {
  for (const LineLaw law : kLaws) {
    const LineShape shape = shape_of(law);
    // Zajac's spline has its top of 0.998 near 1.03.
    EXPECT_NEAR(compute_active_force(shape, 1).value, 1, law == LineLaw::kHill ? 0.01 : 1e-4);
    EXPECT_EQ(compute_passive_force(shape, 1).value, 0);
    EXPECT_NEAR(compute_passive_force(shape, 1 + shape.passive_strain).value, 1, 1e-12);
    EXPECT_EQ(compute_tendon_force(shape, 1).value, 0);
    EXPECT_NEAR(compute_tendon_force(shape, 1 + shape.tendon_strain).value, 1, 1e-12);
    // chen1992's fit is zero at -1.0 to within 0.7 %.
    EXPECT_NEAR(compute_velocity_factor(shape, -1).value, 0, law == LineLaw::kHill ? 0.007 : 1e-12);
    EXPECT_NEAR(compute_velocity_factor(shape, 0).value, 1, 1e-12);
  }
}

TEST(LineCurves, RiseTogetherWithWhatTheyDependOn) {
  for (const LineLaw law : kLaws) {
    const LineShape shape = shape_of(law);
    for (int i = 0; i < 400; ++i) {
      EXPECT_GE(compute_passive_force(shape, 0.5 + 0.005 * i).slope, 0);
      EXPECT_GE(compute_tendon_force(shape, 0.99 + 0.0002 * i).slope, 0);
      // Tabulated curves turn by this much where they should be flat.
      EXPECT_GE(compute_velocity_factor(shape, -2 + 0.01 * i).slope, -1e-3);
      EXPECT_GE(compute_active_force(shape, 0.2 + 0.005 * i).value, 0);
      EXPECT_LE(compute_active_force(shape, 0.2 + 0.005 * i).value, 1 + 1e-3);
    }
  }
}

TEST(LineCurves, VelocityOfAFactorIsTheInverse) {
  for (const LineLaw law : kLaws) {
    const LineShape shape = shape_of(law);
    for (int i = 1; i < 19; ++i) {
      const double v = -0.95 + 0.1 * i;
      const double factor = compute_velocity_factor(shape, v).value;
      EXPECT_NEAR(compute_velocity_of_factor(shape, factor), v, 1e-9);
    }
    EXPECT_EQ(compute_velocity_of_factor(shape, 9), 2);
    EXPECT_EQ(compute_velocity_of_factor(shape, -9), -2);
  }
}

TEST(LineCurves, ThelensForceVelocityObeysHisEquation) {
  // v = (f - 1) / b with b = 1 + f / Af for shortening, (2 + 2/Af)(Flen - f)/(Flen - 1) beyond.
  const LineShape shape;
  for (const double f : {0.1, 0.5, 0.9}) {
    const double v = (f - 1) / (1 + f / shape.force_velocity_shape);
    EXPECT_NEAR(compute_velocity_factor(shape, v).value, f, 1e-14);
  }
  for (const double f : {1.1, 1.4, 1.7}) {
    const double b = (2 + 2 / shape.force_velocity_shape) * (shape.lengthening_force - f) /
                     (shape.lengthening_force - 1);
    EXPECT_NEAR(compute_velocity_factor(shape, (f - 1) / b).value, f, 1e-13);
  }
}

}  // namespace
}  // namespace sinew::material
