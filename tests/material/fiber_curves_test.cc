// The published fibre curves where they end: formulas of their authors, continuity, derivatives.
#include "sinew/material/fiber_curves.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::material {
namespace {

double energy(const FiberCurves& curves, double l) {
  return fiber_energy(curves, FiberStretch<double>{{l, 0, 0}, 1 / l, l}, {{1, 0, 0}, 0.0});
}
double tension(const FiberCurves& curves, double l) {
  return compute_tension(curves, l, 0.0);
}
double tension_slope(const FiberCurves& curves, double l) {
  return compute_tension_slope(curves, l, 0.0);
}

constexpr double kC3 = 15e3, kC4 = 6.6, kC5 = 9e4;

// The parameters of both families at their edges; `joints` are where a formula ends.
struct Edge {
  const char* name;
  FiberCurves curves;
  double joint;
};
std::vector<Edge> all_edges() {
  return {{"Weiss", make_weiss_curves({kC3, kC4, kC5, 1.4}), 1.4},
          {"Weiss, short toe", make_weiss_curves({kC3, kC4, kC5, 1.1}), 1.1},
          {"Weiss, no toe", make_weiss_curves({kC3, kC4, kC5, 1}), 1},
          {"Blemker", make_blemker_curves({}), 1.4},
          {"Blemker, no toe", make_blemker_curves({3e5, 0.05, 6.6, 1.2, 1.2}), 1.2}};
}

// Rounding only: beyond lam_max no table stands between the formula and its value.
TEST(WeissFibers, ForceTimesStretchIsStraightBeyondTheToe) {
  for (const double lam_max : {1.0, 1.05, 1.1, 1.4}) {
    const FiberCurves curves = make_weiss_curves({kC3, kC4, kC5, lam_max});
    const double at_end = kC3 * std::expm1(kC4 * (lam_max - 1));
    const double c6 = at_end - kC5 * lam_max;
    EXPECT_NEAR(tension(curves, lam_max) * lam_max, at_end, 1e-9 * kC5);
    for (double l = lam_max; l < 5; l += 0.0371) {
      EXPECT_NEAR(l * tension(curves, l), kC5 * l + c6, 1e-11 * kC5 * l) << lam_max << " " << l;
      if (l == lam_max) continue;
      EXPECT_NEAR(tension_slope(curves, l), -c6 / (l * l), 1e-11 * kC5) << lam_max << " " << l;
      const double work = kC5 * (l - lam_max) + c6 * std::log(l / lam_max);
      EXPECT_NEAR(energy(curves, l) - energy(curves, lam_max), work, 1e-11 * kC5 * l);
    }
  }
}

TEST(WeissFibers, FollowTheExponentialOfTheToe) {
  for (const double lam_max : {1.05, 1.1, 1.4}) {
    const FiberCurves curves = make_weiss_curves({kC3, kC4, kC5, lam_max});
    EXPECT_EQ(tension(curves, 0.9), 0);
    for (double l = 1; l < lam_max; l += 0.0013) {
      // Cubics on 64 pieces: spacing^4/384 of the fourth derivative, near c3 c4^4 e^(c4 (l - 1)).
      EXPECT_NEAR(l * tension(curves, l), kC3 * std::expm1(kC4 * (l - 1)), 1e-6 * kC3);
    }
  }
}

TEST(FiberCurves, AreContinuousWhereTheirFormulaChanges) {
  for (const auto& [name, curves, joint] : all_edges()) {
    constexpr double kStep = 1e-9;
    const double scale = tension(curves, joint + 0.2);
    ASSERT_GT(scale, 0) << name;
    EXPECT_NEAR(tension(curves, joint - kStep), tension(curves, joint + kStep), 1e-7 * scale)
        << name;
    EXPECT_NEAR(energy(curves, joint - kStep), energy(curves, joint + kStep), 1e-7 * scale) << name;
  }
}

TEST(FiberCurves, TensionIsTheDerivativeOfEnergyAndSlopeThatOfTension) {
  constexpr double kStep = 1e-5;
  for (const auto& [name, curves, joint] : all_edges()) {
    for (double l = 0.8; l < 3; l += 0.0137) {
      // Kinks of the stiffness: at slack length, and where Weiss's c5 is not the toe's end slope.
      if (std::abs(l - joint) < 2 * kStep || std::abs(l - 1) < 2 * kStep) continue;
      const auto slope_of = [&, &c = curves](const auto& f) {
        return (f(c, l + kStep) - f(c, l - kStep)) / (2 * kStep);
      };
      const double scale = tension(curves, 3);
      EXPECT_NEAR(slope_of(energy), tension(curves, l), 1e-7 * scale) << name << " " << l;
      EXPECT_NEAR(slope_of(tension), tension_slope(curves, l), 1e-5 * scale) << name << " " << l;
    }
  }
}

TEST(BlemkerFibers, WithoutAToeAreStraightFromTheOptimalLengthOn) {
  const BlemkerFibers straight{3e5, 0.05, 6.6, 1.2, 1.2};
  BlemkerFibers short_toe = straight;
  short_toe.lam_max += 1e-7;
  const FiberCurves curves = make_blemker_curves(straight), limit = make_blemker_curves(short_toe);
  for (double l = 0.7; l < 3; l += 0.0317) {
    const double excess = std::max(l / straight.optimal_stretch - 1, 0.0);
    const double expected =
        straight.max_stress / straight.optimal_stretch * straight.P1 * straight.P2 * excess;
    EXPECT_NEAR(tension(curves, l), expected, 1e-10 * straight.max_stress) << l;
    EXPECT_NEAR(tension(limit, l), expected, 1e-6 * straight.max_stress) << l;
    // The active part is the same.
    EXPECT_NEAR(compute_tension(curves, l, 1.0) - tension(curves, l),
                compute_tension(limit, l, 1.0) - tension(limit, l), 1e-10 * straight.max_stress);
  }
}

}  // namespace
}  // namespace sinew::material
