#include "sinew/anatomy/active_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/svd.h"

namespace sinew::anatomy {
namespace {

const mesh::Bounds kBox{{-0.1, -0.04, -0.05}, {0.1, 0.04, 0.05}};

Vec3d wave(const Vec3d& X) {
  return X + Vec3d{0.01 * std::sin(20 * X.y), 0.02 * std::cos(15 * X.x) * X.z,
                   -0.3 * X.z + 0.01 * std::sin(12 * (X.x + X.y))};
}

ActiveMap make_turned_wave() {
  ActiveMap map = make_active_map(wave, kBox, 0.02);
  map.axis = normalized(Vec3d{1, 2, -1});
  map.angle = 1.1;
  map.center = {0.01, 0.02, 0};
  map.shift = {0.005, 0, -0.01};
  return map;
}

double difference(const Mat3d& a, const Mat3d& b) {
  return std::sqrt(inner(a - b, a - b));
}

TEST(ActiveMap, GradientIsTheDerivativeOfThePlace) {
  const ActiveMap map = make_turned_wave();
  // Inside, at the border of a cell, and where the spline goes on linearly.
  for (const Vec3d& X : {Vec3d{0.013, 0.007, -0.021}, Vec3d{0, 0, 0}, Vec3d{0.3, -0.2, 0.1}}) {
    for (const double alpha : {0.3, 1.0}) {
      const MapSample at = evaluate(map, X, alpha);
      Mat3d numeric;
      const double h = 1e-6;
      for (std::size_t j = 0; j < 3; ++j) {
        Vec3d d{0, 0, 0};
        d[j] = h;
        numeric.col(j) =
            (evaluate(map, X + d, alpha).place - evaluate(map, X - d, alpha).place) / (2 * h);
      }
      EXPECT_GT(difference(at.gradient, Mat3d::identity()), 0.1);
      EXPECT_LT(difference(at.gradient, numeric), 1e-8);  // truncation h^2, rounding 1e-16 / h
    }
  }
}

TEST(ActiveMap, KeepsAGivenMapToFourthOrder) {
  const auto error = [](double spacing) {
    const ActiveMap map = make_active_map(wave, kBox, spacing);
    double most = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3d X{0.09 * std::sin(i), 0.035 * std::sin(1.7 * i), 0.045 * std::cos(2.3 * i)};
      most = std::max(most, norm(evaluate(map, X).place - wave(X)));
    }
    return most;
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_GT(std::log2(coarse / fine), 3.5);
  EXPECT_LT(std::log2(coarse / fine), 4.6);
}

TEST(ActiveMap, WithoutActivationNothingMoves) {
  const ActiveMap map = make_turned_wave();
  const Vec3d X{0.03, 0.01, 0.02};
  EXPECT_LT(norm(evaluate(map, X, 0).place - X), 1e-15);
  EXPECT_LT(difference(evaluate(map, X, 0).gradient, Mat3d::identity()), 1e-15);
}

TEST(ActiveMap, UniformShorteningIsExactAndKeepsVolumeEverywhere) {
  const Vec3d axis = normalized(Vec3d{1, 1, 0}), point{0.01, 0, 0};
  const ActiveMap map = make_uniform_active_map(point, axis, 0.7, kBox);
  for (const Vec3d& X : {Vec3d{0.02, 0.03, 0.01}, Vec3d{1, -2, 3}}) {
    const MapSample at = evaluate(map, X);
    const Vec3d d = X - point, along = axis * dot(d, axis);
    EXPECT_LT(norm(at.place - (point + along * 0.7 + (d - along) / std::sqrt(0.7))), 1e-13);
    EXPECT_NEAR(determinant(at.gradient), 1, 1e-13);
  }
}

TEST(ActiveStretch, IsThePowerOfTheStretchOfThePolarDecomposition) {
  const Mat3d A = evaluate(make_turned_wave(), {0.02, 0.01, -0.01}).gradient;
  const PrincipalStretches full = find_principal_stretches(A, false);
  const Mat3d U = compute_stretch(full, 1);
  EXPECT_LT(difference(U * U, transpose(A) * A), 1e-13);
  EXPECT_LT(difference(compute_stretch(full, 0.3) * compute_stretch(full, 0.7), U), 1e-13);
  EXPECT_LT(difference(compute_stretch(full, 0), Mat3d::identity()), 1e-14);
  EXPECT_NEAR(determinant(compute_stretch(full, 0.3)), std::pow(determinant(A), 0.3), 1e-13);
  EXPECT_GT(std::abs(determinant(A) - 1), 0.1);
  const PrincipalStretches isochoric = find_principal_stretches(A, true);
  EXPECT_NEAR(determinant(compute_stretch(isochoric, 0.6)), 1, 1e-14);
  EXPECT_LT(difference(compute_stretch(isochoric, 1) * std::cbrt(determinant(A)), U), 1e-13);
}

TEST(ActiveStretch, HasNoRotation) {
  const Mat3d A = evaluate(make_turned_wave(), {0.02, 0.01, -0.01}).gradient;
  const ActiveMap other = [] {
    ActiveMap map = make_turned_wave();
    map.angle = 0.2;
    return map;
  }();
  const Mat3d B = evaluate(other, {0.02, 0.01, -0.01}).gradient;
  EXPECT_GT(difference(A, B), 0.1);
  EXPECT_LT(difference(compute_stretch(find_principal_stretches(A, true), 0.4),
                       compute_stretch(find_principal_stretches(B, true), 0.4)),
            1e-13);
}

TEST(ActiveStretch, StaysFiniteWhereAMapFoldsSpace) {
  const Mat3d folded = Mat3d::diagonal({1, 1, -0.5});
  const Mat3d flat = Mat3d::diagonal({1, 0, 0});
  for (const Mat3d& A : {folded, flat, Mat3d{}}) {
    const Mat3d U = compute_stretch(find_principal_stretches(A, true), -1);
    EXPECT_TRUE(is_finite(U.col(0)) && is_finite(U.col(1)) && is_finite(U.col(2)));
    EXPECT_NEAR(determinant(U), 1, 1e-12);
  }
}

}  // namespace
}  // namespace sinew::anatomy
