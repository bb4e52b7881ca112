// Crushed and inverted elements: both continuations, for every law.
#include <gtest/gtest.h>

#include "sinew/material/invertible.h"

#include "material/sample_laws.h"

namespace sinew::material {
namespace {

class Continuation : public testing::TestWithParam<std::size_t> {
 protected:
  template <class Function>
  void visit(const Function& function) const {
    std::visit([&](const auto& law) { function(Invertible(law)); }, all_laws()[GetParam()].law);
  }
};
std::string law_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_laws()[info.param].name;
}
INSTANTIATE_TEST_SUITE_P(All, Continuation, testing::Range(std::size_t{0}, all_laws().size()),
                         law_name);

// Any stretches, a quarter of them inverted. Not near s_2 = -s_3, where the energy has a kink.
Mat3d random_any(std::mt19937& rng) {
  std::uniform_real_distribution<double> stretch(0.05, 1.6), sign(-0.33, 1);
  for (;;) {
    const Mat3d U = random_rotation(rng), V = random_rotation(rng);
    const Vec3d s{stretch(rng), stretch(rng), std::copysign(stretch(rng), sign(rng))};
    const Mat3d F = compose(U, s, V);
    const Vec3d sorted = compute_polar_svd(F).s;
    if (sorted.y + sorted.z > 1e-2) return F;
  }
}

// Moduli that set the scale of a law's continued stress.
template <class L>
double scale_of(const Invertible<L>& m) {
  const Lame moduli = small_strain_moduli(m.law);
  return moduli.mu + std::abs(moduli.lambda);
}

TEST_P(Continuation, LeavesRegularElementsAlone) {
  visit([](const auto& m) {
    std::mt19937 rng(1);
    int near = 0;  // regular, but not surely so without an SVD
    for (int n = 0; n < 300; ++n) {
      const Mat3d F = random_regular(rng);
      const Fiber<double> fiber = random_fiber(rng);
      near += surely_regular(F) ? 0 : 1;
      const Mat3d P = stress(m.law, F, fiber);
      const double close = 1e-10 * (size(P) + scale_of(m));
      EXPECT_LT(size(stress(m, F, fiber) - P), close);
      EXPECT_LT(size(gradient_stress(m, F, fiber) - P), close);
      EXPECT_NEAR(energy_density(m, F, fiber), energy_density(m.law, F, fiber), close);
    }
    EXPECT_GT(near, 20);
  });
}

TEST_P(Continuation, GradientIsExactForEveryF) {
  visit([](const auto& m) {
    std::mt19937 rng(2);
    int inverted = 0;
    for (int n = 0; n < 300; ++n) {
      const Mat3d F = random_any(rng);
      inverted += determinant(F) < 0 ? 1 : 0;
      const Fiber<double> fiber = random_fiber(rng);
      const Mat3d P = gradient_stress(m, F, fiber);
      const Mat3d expected =
          differentiate([&](const Mat3d& G) { return energy_density(m, G, fiber); }, F, 1e-5);
      EXPECT_LT(size(P - expected), 1e-6 * (size(P) + scale_of(m)));
      const Mat3d Pd = distortion_gradient_stress(m, F, fiber);
      const Mat3d expected_d =
          differentiate([&](const Mat3d& G) { return distortion_energy(m, G, fiber); }, F, 1e-5);
      EXPECT_LT(size(Pd - expected_d), 1e-6 * (size(Pd) + scale_of(m)));
    }
    EXPECT_GT(inverted, 30);
  });
}

TEST_P(Continuation, BothStressesAreContinuousAcrossTheirThresholds) {
  visit([](const auto& m) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> stretch(0.5, 1.6);
    for (int n = 0; n < 100; ++n) {
      const Mat3d U = random_rotation(rng), V = random_rotation(rng);
      const double s1 = stretch(rng), s2 = stretch(rng);
      const Fiber<double> fiber = random_fiber(rng);
      for (const double threshold : {kThreshold, kEnergyThreshold}) {
        constexpr double kStep = 1e-9;
        const Mat3d above = compose(U, {s1, s2, threshold + kStep}, V);
        const Mat3d below = compose(U, {s1, s2, threshold - kStep}, V);
        const double close = 1e-6 * (size(stress(m.law, above, fiber)) + scale_of(m));
        EXPECT_LT(size(stress(m, above, fiber) - stress(m, below, fiber)), close);
        EXPECT_LT(size(gradient_stress(m, above, fiber) - gradient_stress(m, below, fiber)), close);
      }
    }
  });
}

TEST_P(Continuation, StressIsTheLawAtTheClampedStretchesPlusASpring) {
  visit([](const auto& m) {
    std::mt19937 rng(4);
    const Fiber<double> fiber = random_fiber(rng);
    const Mat3d U = random_rotation(rng), V = random_rotation(rng);
    const Mat3d clamped = compose(U, {1.3, 0.8, kThreshold}, V);
    const Mat3d expected =
        stress(m.law, clamped, fiber) + compose(U, {0, 0, (-0.2 - kThreshold) * m.slope}, V);
    const Mat3d P = stress(m, compose(U, {1.3, 0.8, -0.2}, V), fiber);
    EXPECT_LT(size(P - expected), 1e-10 * size(P));
  });
}

// What keeps elements from being pushed through themselves: between the two thresholds the energy's
// gradient is the law's own stress, and that of the stress's continuation is weaker.
TEST_P(Continuation, EnergyKeepsTheLawFarBelowTheThresholdOfTheStress) {
  visit([](const auto& m) {
    const Fiber<double> fiber{{1, 0, 0}, 0.5};
    const Mat3d F = Mat3d::diagonal({1.3, 1.1, 0.15});
    const Mat3d P = stress(m.law, F, fiber);
    EXPECT_LT(size(gradient_stress(m, F, fiber) - P), 1e-10 * size(P));
    EXPECT_LE(P(2, 2), stress(m, F, fiber)(2, 2) + 1e-10 * size(P));
  });
}

TEST_P(Continuation, InvertedElementsArePushedBack) {
  visit([](const auto& m) {
    // Across the fibres: an inverted fibre is pulled by its own passive tension.
    const Fiber<double> fiber{{1, 0, 0}, 0};
    for (const double s : {0.2, 0.0, -0.3, -0.9}) {
      const Mat3d F = Mat3d::diagonal({1, 1, s});
      EXPECT_LT(stress(m, F, fiber)(2, 2), 0) << "a crushed element must want to thicken, " << s;
      EXPECT_LT(gradient_stress(m, F, fiber)(2, 2), 0) << s;
      EXPECT_TRUE(std::isfinite(energy_density(m, F, fiber)));
    }
    EXPECT_LT(stress(m, Mat3d{}, fiber)(2, 2), 0);
    EXPECT_TRUE(std::isfinite(size(gradient_stress(m, Mat3d{}, fiber))));
  });
}

TEST_P(Continuation, TurningTheSpaceTurnsBothStresses) {
  visit([](const auto& m) {
    std::mt19937 rng(6);
    for (int n = 0; n < 100; ++n) {
      const Mat3d F = random_any(rng), R = random_rotation(rng);
      const Fiber<double> fiber = random_fiber(rng);
      const Mat3d P = stress(m, F, fiber), G = gradient_stress(m, F, fiber);
      EXPECT_LT(size(stress(m, R * F, fiber) - R * P), 1e-9 * (size(P) + scale_of(m)));
      EXPECT_LT(size(gradient_stress(m, R * F, fiber) - R * G), 1e-9 * (size(G) + scale_of(m)));
    }
  });
}

TEST(ContinuedVolume, IsSmoothAndStiffForEveryVolume) {
  const Invertible m(MooneyRivlin{3e4, 1e4, 6e5});
  const double kappa = bulk_modulus(m.law);
  for (const double J : {-1.0, 0.0, 0.3, kThreshold, 0.46, 1.0, 1.5}) {
    constexpr double kStep = 1e-6;
    EXPECT_NEAR(volume_pressure(m, J),
                (volume_energy(m, J + kStep) - volume_energy(m, J - kStep)) / (2 * kStep),
                1e-8 * kappa);
    const double slope =
        (volume_pressure(m, J + kStep) - volume_pressure(m, J - kStep)) / (2 * kStep);
    EXPECT_NEAR(volume_stiffness(m, J), slope, 1e-4 * kappa);
    EXPECT_GT(volume_stiffness(m, J), 0);
  }
  EXPECT_EQ(volume_energy(m, 0.7), volume_energy(m.law, 0.7));
}

TEST(Soften, KeepsWhatIsLargeAndStaysPositive) {
  EXPECT_EQ(soften(0.5, 0.1).value, 0.5);
  EXPECT_EQ(soften(0.5, 0.1).slope, 1.0);
  for (const double x : {-100.0, -1.0, 0.0, 0.05, 0.1}) {
    constexpr double kStep = 1e-7;
    const Softened<double> s = soften(x, 0.1);
    EXPECT_GE(s.value, 0.05);
    EXPECT_GT(s.slope, 0);
    EXPECT_NEAR(s.slope,
                (soften(x + kStep, 0.1).value - soften(x - kStep, 0.1).value) / (2 * kStep), 1e-5);
  }
}

}  // namespace
}  // namespace sinew::material
