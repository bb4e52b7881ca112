#include "sinew/tet/finite_volume.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/material/elasticity.h"

namespace sinew::tet {
namespace {

double size(const Mat3d& m) {
  return std::sqrt(inner(m, m));
}

struct Sample {
  Mat3d Dm, Ds;
};

// Tetrahedra of positive volume at rest and when deformed.
Sample draw(std::mt19937& rng) {
  std::normal_distribution<double> normal;
  Sample s;
  do {
    for (auto& c : s.Dm.columns) c = {normal(rng), normal(rng), normal(rng)};
    Mat3d F = Mat3d::identity();
    for (auto& c : F.columns) c += Vec3d{0.2 * normal(rng), 0.2 * normal(rng), 0.2 * normal(rng)};
    s.Ds = F * s.Dm;
  } while (determinant(s.Dm) < 0.1 || determinant(s.Ds) < 0.01);
  return s;
}

TEST(FiniteVolume, GeometricStrainIsTheGreenStrain) {
  std::mt19937 rng(1);
  for (int n = 0; n < 200; ++n) {
    const Sample s = draw(rng);
    const Mat3d F = compute_deformation_gradient(s.Ds, inverse(s.Dm));
    const Mat3d expected = (transpose(F) * F - Mat3d::identity()) * 0.5;
    EXPECT_LT(size(compute_green_strain(s.Ds, s.Dm) - expected), 1e-11 * (1 + size(expected)));
  }
}

TEST(FiniteVolume, FaceMatrixIsAThirdOfTheAreasAroundANode) {
  std::mt19937 rng(2);
  for (int n = 0; n < 200; ++n) {
    const Mat3d D = draw(rng).Ds;
    const Mat3d B = compute_face_matrix(D);
    // Outward area vectors of the faces opposite nodes 0..3, from half the cross products of edges.
    const Vec3d& a = D.col(0);
    const Vec3d& b = D.col(1);
    const Vec3d& c = D.col(2);
    const Vec3d opposite[4] = {cross(b - a, c - a) * 0.5, cross(c, b) * 0.5, cross(a, c) * 0.5,
                               cross(b, a) * 0.5};
    for (std::size_t i = 1; i < 4; ++i) {
      Vec3d around{};
      for (std::size_t f = 0; f < 4; ++f) {
        if (f != i) around += opposite[f];
      }
      EXPECT_LT(norm(B.col(i - 1) - around / -3.0), 1e-13 * size(B));
    }
  }
}

TEST(FiniteVolume, CauchyPiolaAndFiniteElementFormsGiveTheSameForces) {
  const material::NeoHookean law{material::compute_lame(1e4, 0.3)};
  std::mt19937 rng(3);
  for (int n = 0; n < 200; ++n) {
    const Sample s = draw(rng);
    const Mat3d F = compute_deformation_gradient(s.Ds, inverse(s.Dm));
    const Mat3d P = stress(law, F);
    const Mat3d sigma = P * transpose(F) * (1 / determinant(F));
    const Mat3d piola = compute_piola_forces(P, compute_face_matrix(s.Dm));
    const Mat3d cauchy = compute_cauchy_forces(sigma, s.Ds);
    // Linear finite elements: minus the volume times P grad N, the gradients being rows of D_m^-1.
    const double volume = determinant(s.Dm) / 6;
    const Mat3d fem = P * transpose(inverse(s.Dm)) * -volume;
    ASSERT_GT(size(piola), 0);
    EXPECT_LT(size(cauchy - piola), 1e-11 * size(piola));
    EXPECT_LT(size(fem - piola), 1e-11 * size(piola));
  }
}

TEST(FiniteVolume, ForcesAreMinusTheGradientOfTheEnergy) {
  const material::NeoHookean law{material::compute_lame(1e4, 0.3)};
  std::mt19937 rng(4);
  const Sample s = draw(rng);
  const double volume = determinant(s.Dm) / 6;
  const Mat3d Dm_inverse = inverse(s.Dm);
  const auto energy = [&](const Mat3d& Ds) {
    return volume * energy_density(law, Ds * Dm_inverse);
  };
  const Mat3d G = compute_piola_forces(stress(law, s.Ds * Dm_inverse), compute_face_matrix(s.Dm));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      constexpr double kStep = 1e-6;
      Mat3d plus = s.Ds, minus = s.Ds;
      plus(i, j) += kStep;
      minus(i, j) -= kStep;
      EXPECT_NEAR(G(i, j), -(energy(plus) - energy(minus)) / (2 * kStep), 1e-6 * size(G));
    }
  }
}

}  // namespace
}  // namespace sinew::tet
