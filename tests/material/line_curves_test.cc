#include "sinew/material/line_curves.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::material {
namespace {

constexpr LineLaw kLaws[] = {LineLaw::kThelen, LineLaw::kMillard, LineLaw::kHill,
                             LineLaw::kDeGroote};

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
    // De Groote's fibres carry something from a fifth of their optimal length on.
    EXPECT_EQ(compute_passive_force(shape, law == LineLaw::kDeGroote ? 0.2 : 1).value, 0);
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
      // De Groote's bells add up to 1.00107 at 1.013.
      EXPECT_LE(compute_active_force(shape, 0.2 + 0.005 * i).value, 1 + 1.1e-3);
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

// The equations as De Groote et al. 2016 and OpenSim write them, with OpenSim's constants.
TEST(LineCurves, DeGrootesCurvesObeyTheirEquations) {
  LineShape shape = shape_of(LineLaw::kDeGroote);
  shape.passive_strain = 0.5, shape.tendon_strain = 0.049;
  const auto bell = [](double x, double b1, double b2, double b3, double b4) {
    return b1 * std::exp(-0.5 * std::pow(x - b2, 2) / std::pow(b3 + b4 * x, 2));
  };
  for (const double l : {0.3, 0.6, 0.9, 1.0, 1.2, 1.7}) {
    const double active =
        bell(l, 0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465) +
        bell(l, 0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188) +
        bell(l, 0.1, 1, 0.5 * std::sqrt(0.5), 0);
    EXPECT_NEAR(compute_active_force(shape, l).value, active, 1e-14) << l;
    const double offset = std::exp(4 * (0.2 - 1) / 0.5);
    const double passive = (std::exp(4 * (l - 1) / 0.5) - offset) / (std::exp(4.0) - offset);
    EXPECT_NEAR(compute_passive_force(shape, l).value, passive, 1e-13) << l;
  }
  const double k = std::log((1 + 0.2) / 0.2) / (1 + 0.049 - 1);
  for (const double s : {1.0, 1.01, 1.049, 1.08}) {
    EXPECT_NEAR(compute_tendon_force(shape, s).value, 0.2 * std::exp(k * (s - 1)) - 0.2, 1e-13);
  }
  for (const double v : {-1.0, -0.3, 0.0, 0.4, 1.0}) {
    const double u = -8.149 * v - 0.374;
    EXPECT_NEAR(compute_velocity_factor(shape, v).value,
                -0.3211346127989808 * std::log(u + std::sqrt(u * u + 1)) + 0.8825327733249912,
                1e-14);
  }
  EXPECT_NEAR(compute_velocity_factor(shape, -1).value, 0, 1e-12);
  EXPECT_NEAR(compute_velocity_factor(shape, 0).value, 1, 1e-12);
}

TEST(LineCurves, AWiderActiveCurveIsStretchedAboutLengthOne) {
  LineShape narrow = shape_of(LineLaw::kDeGroote), wide = narrow;
  wide.active_width = 1.5;
  for (const double l : {0.5, 0.8, 1.0, 1.3}) {
    const CurveValue at = compute_active_force(wide, 1 + 1.5 * (l - 1));
    const CurveValue plain = compute_active_force(narrow, l);
    EXPECT_NEAR(at.value, plain.value, 1e-14);
    EXPECT_NEAR(at.slope * 1.5, plain.slope, 1e-12);
  }
  for (int i = 0; i < 40; ++i)
    expect_slope_is_derivative(compute_active_force, wide, 0.2 + 0.04 * i);
}

TEST(LineCurves, FibresWithoutPassiveForceCarryNoneAtRest) {
  for (const LineLaw law : kLaws) {
    LineShape shape = shape_of(law);
    shape.has_passive = false;
    EXPECT_EQ(compute_passive_force(shape, 1.5).value, 0);
    EXPECT_EQ(compute_passive_force(shape, 1.5).slope, 0);
  }
}

}  // namespace
}  // namespace sinew::material
