// The laws that every material obeys.
#include <gtest/gtest.h>

#include "material/sample_laws.h"

namespace sinew::material {
namespace {

class Laws : public testing::TestWithParam<std::size_t> {
 protected:
  // Calls function(law) with the concrete law.
  template <class Function>
  void visit(const Function& function) const {
    std::visit(function, all_laws()[GetParam()].law);
  }
};
std::string law_name(const testing::TestParamInfo<std::size_t>& info) {
  return all_laws()[info.param].name;
}
INSTANTIATE_TEST_SUITE_P(All, Laws, testing::Range(std::size_t{0}, all_laws().size()), law_name);

TEST_P(Laws, StressIsTheDerivativeOfEnergy) {
  visit([](const auto& law) {
    std::mt19937 rng(1);
    for (int n = 0; n < 300; ++n) {
      const Mat3d F = random_regular(rng);
      const Fiber<double> fiber = random_fiber(rng);
      const Mat3d P = stress(law, F, fiber);
      // The step balances rounding (1e-16 kappa / step) against the curves' jumps in curvature.
      const Mat3d expected =
          differentiate([&](const Mat3d& G) { return energy_density(law, G, fiber); }, F, 1e-5);
      ASSERT_GT(size(P), 1.0);
      EXPECT_LT(size(P - expected), 1e-7 * (size(P) + small_strain_moduli(law).mu));
    }
  });
}

TEST_P(Laws, StressChangeIsTheDerivativeOfStressAndSymmetric) {
  visit([](const auto& law) {
    std::mt19937 rng(2);
    for (int n = 0; n < 300; ++n) {
      const Mat3d F = random_regular(rng), a = random_matrix(rng, 1), b = random_matrix(rng, 1);
      const Fiber<double> fiber = random_fiber(rng);
      const Mat3d change = stress_change(law, F, fiber, a);
      const Mat3d expected =
          differentiate_along([&](const Mat3d& G) { return stress(law, G, fiber); }, F, a, 1e-5);
      EXPECT_LT(size(change - expected), 1e-6 * size(change));
      const double other = inner(stress_change(law, F, fiber, b), a);
      EXPECT_NEAR(inner(change, b), other, 1e-9 * size(change) * size(b));
    }
  });
}

TEST_P(Laws, TurningTheSpaceTurnsTheStress) {
  visit([](const auto& law) {
    std::mt19937 rng(3);
    for (int n = 0; n < 100; ++n) {
      const Mat3d F = random_regular(rng), R = random_rotation(rng);
      const Fiber<double> fiber = random_fiber(rng);
      const Mat3d P = stress(law, F, fiber);
      EXPECT_NEAR(energy_density(law, R * F, fiber), energy_density(law, F, fiber),
                  1e-11 * (size(P) + small_strain_moduli(law).mu));
      EXPECT_LT(size(stress(law, R * F, fiber) - R * P),
                1e-11 * (size(P) + small_strain_moduli(law).mu));
    }
  });
}

TEST_P(Laws, TurningTheMaterialWithItsFibresChangesNoEnergy) {
  visit([](const auto& law) {
    std::mt19937 rng(4);
    for (int n = 0; n < 100; ++n) {
      const Mat3d F = random_regular(rng), R = random_rotation(rng);
      const Fiber<double> fiber = random_fiber(rng);
      const Fiber<double> turned = {transpose(R) * fiber.direction, fiber.activation};
      EXPECT_NEAR(energy_density(law, F * R, turned), energy_density(law, F, fiber),
                  1e-11 * (size(stress(law, F, fiber)) + small_strain_moduli(law).mu));
    }
  });
}

TEST_P(Laws, RestWithoutActivationIsFreeOfStressAndEnergy) {
  visit([](const auto& law) {
    std::mt19937 rng(5);
    const double mu = small_strain_moduli(law).mu;
    const Fiber<double> fiber{random_fiber(rng).direction, 0};
    EXPECT_LT(size(stress(law, Mat3d::identity(), fiber)), 1e-10 * mu);
    EXPECT_NEAR(energy_density(law, Mat3d::identity(), fiber), 0, 1e-10 * mu);
    EXPECT_LT(size(stress(law, random_rotation(rng), fiber)), 1e-10 * mu);
  });
}

TEST_P(Laws, ScalingScalesEnergyAndStress) {
  visit([](const auto& law) {
    std::mt19937 rng(7);
    const Mat3d F = random_regular(rng);
    const Fiber<double> fiber = random_fiber(rng);
    const Mat3d P = stress(law, F, fiber);
    EXPECT_NEAR(energy_density(scaled(law, 3), F, fiber), 3 * energy_density(law, F, fiber),
                1e-12 * size(P));
    EXPECT_LT(size(stress(scaled(law, 3), F, fiber) - P * 3.0), 1e-12 * size(P));
  });
}

// A body without fibres: the moduli are those of the isotropic part. (Blemker's law has none,
// fascia stiffens elongation on top.)
TEST(SmallStrain, FollowsTheModuli) {
  for (const auto& [name, any] : all_laws()) {
    if (std::holds_alternative<Blemker>(any) || name == "fascia") continue;
    std::visit(
        [&, name = name](const auto& law) {
          const Lame moduli = small_strain_moduli(law);
          std::mt19937 rng(5);
          constexpr double kStrain = 1e-6;  // the error is of second order in it
          const Mat3d e = symmetric_part(random_matrix(rng, kStrain));
          const Mat3d expected =
              e * (2 * moduli.mu) + Mat3d::identity() * (moduli.lambda * trace(e));
          EXPECT_LT(size(stress(law, Mat3d::identity() + e) - expected), 1e-4 * size(expected))
              << name;
        },
        any);
  }
}

TEST(SmallStrain, BlemkerShearsByTwiceItsModuliAlongAndAcrossTheFibres) {
  const Blemker law{500, 700, 0, 5e5, make_blemker_curves({})};
  const Fiber<double> fiber{{1, 0, 0}, 0};
  Mat3d along, across;
  along(0, 1) = along(1, 0) = 1;
  across(1, 2) = across(2, 1) = 1;
  const Mat3d rest = Mat3d::identity();
  EXPECT_NEAR(stress_change(law, rest, fiber, along)(0, 1), 2 * (2 * law.G1), 1e-9 * law.G1);
  EXPECT_NEAR(stress_change(law, rest, fiber, across)(1, 2), 2 * (2 * law.G2), 1e-9 * law.G2);
}

TEST(SmallStrain, FasciaResistsElongationOnly) {
  const auto with = std::get<Muscle>(make_preset("fascia").law);
  Muscle without = with;
  without.surface_stiffness = 0;
  constexpr double kStrain = 1e-3;
  for (const double sign : {1.0, -1.0}) {
    const Mat3d F = Mat3d::diagonal({1 + sign * kStrain, 1, 1});
    const double extra = (stress(with, F) - stress(without, F))(0, 0);
    EXPECT_NEAR(extra, sign > 0 ? with.surface_stiffness * kStrain : 0,
                1e-9 * with.surface_stiffness);
  }
}

// The invariants of Blemker's law as printed, by way of C.
TEST(Blemker, IsThePrintedEnergy) {
  const Blemker law{500, 700, 600, 5e5, make_blemker_curves({})};
  std::mt19937 rng(8);
  for (int n = 0; n < 100; ++n) {
    const Mat3d F = random_regular(rng);
    const Fiber<double> fiber{random_fiber(rng).direction, 0.3};
    const Mat3d C = transpose(F) * F * std::pow(determinant(F), -2.0 / 3);
    const Vec3d Ca = C * fiber.direction;
    const double I1 = trace(C), I4 = dot(fiber.direction, Ca), I5 = dot(Ca, Ca);
    const double b2 = std::acosh((I1 * I4 - I5) / (2 * std::sqrt(I4)));
    const double log_I4 = std::log(I4);
    const FiberStretch<double> stretch{{}, 0, std::sqrt(I4)};
    const double expected = law.G1 * (I5 / (I4 * I4) - 1) + law.G2 * b2 * b2 +
                            9.0 / 16 * law.G3 * log_I4 * log_I4 +
                            fiber_energy(law.fibers, stretch, fiber);
    EXPECT_NEAR(distortion_energy(law, F, fiber), expected, 1e-10 * (std::abs(expected) + law.G1));
  }
}

TEST(Blemker, SquaredAcoshIsSmoothAcrossItsSeam) {
  for (const double z : {0.0, 1e-9, 0.1, 0.2 - 1e-12, 0.2, 0.5, 3.0}) {
    const SquaredAcosh<double> f = squared_acosh(z);
    const double angle = std::acosh(1 + z);
    EXPECT_NEAR(f.value, angle * angle, 1e-13 * (1 + f.value) + 1e-15 * angle);
    constexpr double kStep = 1e-5;
    const auto above = squared_acosh(z + kStep), below = squared_acosh(z - kStep);
    EXPECT_NEAR(f.first, (above.value - below.value) / (2 * kStep), 1e-9);
    EXPECT_NEAR(f.second, (above.first - below.first) / (2 * kStep), 1e-9);
  }
}

TEST(CheckLaw, AcceptsAllPresetsAndNamesWhatIsWrong) {
  for (const auto& [name, law] : all_laws()) EXPECT_EQ(check_law(law), "") << name;
  EXPECT_NE(check_law(MooneyRivlin{-1, 2, 3}).find("c1 is -1"), std::string::npos);
  EXPECT_NE(check_law(MooneyRivlin{0, 0, 3}).find("c1 + c2"), std::string::npos);
  EXPECT_NE(check_law(NeoHookean{{0, 1}}).find("mu"), std::string::npos);
  EXPECT_NE(check_law(NeoHookean{{1, std::nan("")}}).find("lambda"), std::string::npos);
  Muscle muscle = std::get<Muscle>(make_preset("muscle").law);
  muscle.surface_stiffness = -5;
  EXPECT_NE(check_law(muscle).find("surface_stiffness"), std::string::npos);
  muscle.surface_stiffness = 0;
  muscle.fibers.max_stress = -1;
  EXPECT_NE(check_law(muscle).find("max_stress"), std::string::npos);
  EXPECT_NE(check_law(Blemker{1, 0, 0, 1, {}}).find("G2"), std::string::npos);
}

}  // namespace
}  // namespace sinew::material
