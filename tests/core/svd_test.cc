#include "sinew/core/svd.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sinew {
namespace {

double size(const Mat3d& m) {
  return std::sqrt(inner(m, m));
}

void expect_polar_svd(const Mat3d& F) {
  const PolarSvd svd = compute_polar_svd(F);
  const double scale = size(F);
  EXPECT_LE(size(compose(svd.U, svd.s, svd.V) - F), 1e-14 * scale);
  for (const Mat3d* R : {&svd.U, &svd.V}) {
    EXPECT_LT(size(transpose(*R) * *R - Mat3d::identity()), 1e-14);
    EXPECT_NEAR(determinant(*R), 1, 1e-14);
  }
  EXPECT_GE(svd.s.x, svd.s.y);
  EXPECT_GE(svd.s.y, std::abs(svd.s.z) - 1e-15 * scale);
}

TEST(PolarSvd, RebuildsRandomMatricesWithTwoRotations) {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  int inverted = 0;
  for (int n = 0; n < 2000; ++n) {
    Mat3d F;
    for (auto& c : F.columns) c = {normal(rng), normal(rng), normal(rng)};
    expect_polar_svd(F);
    const double s = compute_polar_svd(F).s.z;
    EXPECT_EQ(s < 0, determinant(F) < 0);
    inverted += s < 0;
  }
  EXPECT_GT(inverted, 800);
}

TEST(PolarSvd, HoldsForSingularRepeatedAndExtremeMatrices) {
  expect_polar_svd(Mat3d{});
  expect_polar_svd(Mat3d::identity());
  expect_polar_svd(Mat3d::identity() * -1.0);
  expect_polar_svd(Mat3d::diagonal({2, 2, 0}));
  expect_polar_svd(Mat3d::diagonal({0, 3, 0}));
  expect_polar_svd(Mat3d::diagonal({1e-200, 1e-200, -1e-200}));
  expect_polar_svd(Mat3d::diagonal({1e200, 1, 1e-200}));
  expect_polar_svd(Mat3d::outer({1, 2, 3}, {-1, 0.5, 2}));
  expect_polar_svd(Mat3d::outer({1, 2, 3}, {1, 1, 1}) + Mat3d::outer({1, 0, 0}, {0, 1e-9, 0}));
}

}  // namespace
}  // namespace sinew
