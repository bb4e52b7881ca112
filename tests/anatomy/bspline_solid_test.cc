#include "sinew/anatomy/bspline_solid.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/anatomy/bspline_basis.h"

namespace sinew::anatomy {
namespace {

using Triple = std::array<std::uint32_t, 3>;

// Control points at their own parameters (Greville), moved by `map`.
template <class Map>
BsplineSolid make_solid(const Triple& degrees, const Triple& counts, const Map& map) {
  BsplineSolid solid{degrees, counts, {}, {}};
  std::array<std::vector<double>, 3> at;
  for (std::size_t a = 0; a < 3; ++a) {
    solid.knots[a] = make_clamped_knots(degrees[a], counts[a]);
    for (std::uint32_t i = 0; i < counts[a]; ++i) {
      double sum = 0;
      for (std::uint32_t k = 1; k <= degrees[a]; ++k) sum += solid.knots[a][i + k];
      at[a].push_back(sum / degrees[a]);
    }
  }
  for (const double w : at[2])
    for (const double v : at[1])
      for (const double u : at[0]) solid.control_points.push_back(map(Vec3d{u, v, w}));
  return solid;
}

// A muscle of 0.3 m that bends by 80 degrees, twists by 40 and is thick in the middle.
Vec3d bent(const Vec3d& p) {
  const double angle = 1.4 * p.z;
  const double thick = 0.02 + 0.03 * std::sin(3.14159 * p.z);
  const double twist = 0.7 * p.z;
  const double x = (p.x - 0.5) * thick * 2;
  const double y = (p.y - 0.5) * thick * 2;
  const double a = x * std::cos(twist) - y * std::sin(twist);
  const double b = x * std::sin(twist) + y * std::cos(twist);
  const double radius = 0.3 / 1.4 - a;
  return {0.3 / 1.4 - radius * std::cos(angle), b, radius * std::sin(angle)};
}

const Triple kDegrees[] = {{1, 1, 1}, {2, 2, 3}, {3, 3, 3}, {1, 2, 3}};

Vec3d random_point(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  const double u = unit(random);
  const double v = unit(random);
  return {u, v, unit(random)};
}

TEST(BsplineSolid, ReproducesAnAffineMapExactly) {
  const Mat3d A = {{Vec3d{0.1, 0.02, 0}, {0, 0.2, 0.01}, {0.03, 0, 0.5}}};
  const Vec3d shift = {1, -2, 3};
  std::mt19937 random(1);
  for (const Triple& degrees : kDegrees) {
    const BsplineSolid solid =
        make_solid(degrees, {5, 4, 7}, [&](const Vec3d& p) { return A * p + shift; });
    check_bspline_solid(solid);
    for (int i = 0; i < 100; ++i) {
      const Vec3d p = random_point(random);
      const SolidSample sample = evaluate_with_jacobian(solid, p);
      EXPECT_LT(norm(sample.position - (A * p + shift)), 1e-14);  // rounding of numbers near 3
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_LT(norm(sample.jacobian.col(a) - A.col(a)), 1e-13);
      }
    }
  }
}

TEST(BsplineSolid, BeginsAndEndsAtItsCornerControlPoints) {
  const BsplineSolid solid = make_solid({3, 2, 3}, {5, 4, 9}, bent);
  EXPECT_EQ(evaluate(solid, {0, 0, 0}), solid.control_points.front());
  EXPECT_EQ(evaluate(solid, {1, 1, 1}), solid.control_points.back());
  EXPECT_EQ(evaluate(solid, {2, 1, 7}), solid.control_points.back());  // clamped
}

TEST(BsplineSolid, JacobianIsTheDerivativeOfPosition) {
  std::mt19937 random(2);
  const double h = 1e-6;
  for (const Triple& degrees : kDegrees) {
    const BsplineSolid solid = make_solid(degrees, {5, 5, 8}, bent);
    for (int i = 0; i < 50; ++i) {
      Vec3d p = random_point(random);
      // Away from knots, where linear splines have no derivative.
      for (std::size_t a = 0; a < 3; ++a) p[a] = (std::floor(p[a] * 60) + 0.37) / 60;
      const Mat3d J = evaluate_with_jacobian(solid, p).jacobian;
      for (std::size_t a = 0; a < 3; ++a) {
        Vec3d step;
        step[a] = h;
        const Vec3d difference = (evaluate(solid, p + step) - evaluate(solid, p - step)) / (2 * h);
        // Rounding 1e-17 / h and h^2 times third derivatives, which are below 10 m.
        EXPECT_LT(norm(difference - J.col(a)), 2e-10);
      }
    }
  }
}

TEST(SolidInverse, FindsParametersAgainEverywhereInside) {
  std::mt19937 random(3);
  for (const Triple& degrees : kDegrees) {
    const SolidInverse inverse(make_solid(degrees, {5, 5, 10}, bent));
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
      Vec3d p = random_point(random);
      if (i % 4 == 0) p[static_cast<std::size_t>(i / 4 % 3)] = i % 8 == 0 ? 0 : 1;  // on a face
      const SolidPoint found = inverse.find(evaluate(inverse.solid(), p));
      EXPECT_LT(found.distance, 1e-14);  // rounding of 0.3 m
      worst = std::max(worst, norm(found.uvw - p));
    }
    EXPECT_LT(worst, 1e-10);
  }
}

TEST(SolidInverse, GivesTheClosestPointOutside) {
  const SolidInverse inverse(make_solid({3, 3, 3}, {4, 4, 8}, bent));
  std::mt19937 random(4);
  int outside = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3d x = (random_point(random) - Vec3d{0.2, 0.5, 0.2}) * 0.4;
    double brute = 1;
    for (int k = 0; k <= 30; ++k)
      for (int j = 0; j <= 6; ++j)
        for (int l = 0; l <= 6; ++l) {
          const Vec3d p = {l / 6.0, j / 6.0, k / 30.0};
          brute = std::min(brute, norm(evaluate(inverse.solid(), p) - x));
        }
    const SolidPoint found = inverse.find(x);
    // Far away Gauss-Newton steps become slow, but no sample may be much nearer.
    EXPECT_LE(found.distance, brute * 1.001 + 1e-12);
    if (found.distance > 1e-9) ++outside;
  }
  EXPECT_GT(outside, 30);
}

TEST(SolidInverse, SurvivesASolidThatIsOnePoint) {
  const SolidInverse inverse(
      make_solid({3, 3, 3}, {4, 4, 4}, [](const Vec3d&) { return Vec3d{}; }));
  EXPECT_DOUBLE_EQ(inverse.find({3, 4, 0}).distance, 5);
  EXPECT_EQ(inverse.fiber_direction({3, 4, 0}), Vec3d{});
}

TEST(SolidInverse, FibersRunAlongW) {
  const SolidInverse inverse(make_solid({3, 3, 3}, {5, 5, 12}, bent));
  const Vec3d p = {0.5, 0.5, 0.5};
  const Vec3d fiber = inverse.fiber_direction(evaluate(inverse.solid(), p));
  EXPECT_NEAR(norm(fiber), 1, 1e-14);
  // The arc's tangent at half of 1.4 rad; a cubic spline of 9 spans bends by less than 1e-3 off.
  EXPECT_NEAR(fiber.x, std::sin(0.7), 2e-3);
  EXPECT_NEAR(fiber.z, std::cos(0.7), 2e-3);
}

TEST(BsplineSolid, RefusesWhatIsNoSolid) {
  const BsplineSolid good = make_solid({3, 3, 3}, {5, 5, 6}, bent);
  EXPECT_NO_THROW(check_bspline_solid(good));
  const auto expect_refused = [&](auto change) {
    BsplineSolid bad = good;
    change(bad);
    EXPECT_THROW(check_bspline_solid(bad), std::invalid_argument);
    EXPECT_THROW(SolidInverse{bad}, std::invalid_argument);
  };
  expect_refused([](BsplineSolid& s) { s.degrees[0] = 0; });
  expect_refused([](BsplineSolid& s) { s.degrees[1] = 4; });
  expect_refused([](BsplineSolid& s) { s.counts[2] = 3; });
  expect_refused([](BsplineSolid& s) { s.counts[2] = 7; });
  expect_refused([](BsplineSolid& s) { s.knots[0].pop_back(); });
  expect_refused([](BsplineSolid& s) { s.knots[0][1] = 0.1; });
  expect_refused([](BsplineSolid& s) { s.knots[2][5] = s.knots[2][4]; });
  expect_refused([](BsplineSolid& s) { s.knots[2][4] = std::nan(""); });
  expect_refused([](BsplineSolid& s) { s.control_points.pop_back(); });
  expect_refused([](BsplineSolid& s) { s.control_points[3].y = INFINITY; });
}

TEST(CurveFit, LeavesStraightLinesAloneHoweverSmooth) {
  std::vector<double> t;
  std::vector<Vec3d> line;
  for (int i = 0; i < 30; ++i) {
    t.push_back(i / 29.0);
    line.push_back(Vec3d{1, 2, 3} + Vec3d{0.4, -0.1, 2} * t.back());
  }
  for (const double bending : {1e-6, 1.0, 1e3}) {
    const CurveFit fit(3, 9, t, bending);
    std::vector<Vec3d> control(9);
    fit.apply(line.data(), 1, control.data(), 1);
    EXPECT_LT(norm(control.front() - line.front()), 1e-8);  // condition of the normal equations
    EXPECT_LT(norm(control.back() - line.back()), 1e-8);
  }
}

}  // namespace
}  // namespace sinew::anatomy
