#include "sinew/material/activation_dynamics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::material {
namespace {

TEST(ActivationDynamics, RisesAndFallsWithItsOwnTimes) {
  const ActivationDynamics dynamics{0.01, 0.04};
  EXPECT_NEAR(advance(dynamics, 0, 1, 0.01), 1 - std::exp(-1.0), 1e-14);
  EXPECT_NEAR(advance(dynamics, 1, 0, 0.04), std::exp(-1.0), 1e-14);
  EXPECT_EQ(advance(dynamics, 0.3, 0.3, 1), 0.3);
}

TEST(ActivationDynamics, DoesNotDependOnTheNumberOfSteps) {
  const ActivationDynamics dynamics;
  double activation = 0.2;
  for (int i = 0; i < 1000; ++i) activation = advance(dynamics, activation, 0.9, 3e-5);
  EXPECT_NEAR(activation, advance(dynamics, 0.2, 0.9, 0.03), 1e-12);
}

TEST(ActivationDynamics, StaysBetweenZeroAndOneForEveryStep) {
  const ActivationDynamics dynamics;
  for (const double dt : {0.0, 1e-9, 1e-3, 1.0, 1e9}) {
    for (const double excitation : {-3.0, 0.0, 0.4, 1.0, 7.0}) {
      const double activation = advance(dynamics, 0.5, excitation, dt);
      EXPECT_GE(activation, 0);
      EXPECT_LE(activation, 1);
    }
  }
  EXPECT_EQ(advance(dynamics, 0.5, 7, 1e9), 1);
}

}  // namespace
}  // namespace sinew::material
