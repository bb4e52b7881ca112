#include "sinew/anatomy/active_shape.h"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/anatomy/active_fit.h"
#include "sinew/anatomy/quasi_newton.h"
#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

mesh::Shape spindle(const Vec3d& start, const Vec3d& end, double radius, double end_radius) {
  return {mesh::Spindle{start, end, radius, end_radius}};
}

// Balls along an arc in the plane z = 0 that leaves the origin along x and turns by `bend` (rad).
mesh::Shape bent(double length, double bend, double radius) {
  std::vector<mesh::Shape> parts;
  const int n = 24;
  Vec3d x{0, 0, 0};
  for (int i = 0; i < n; ++i) {
    const double angle = bend * (i + 0.5) / n;
    const Vec3d next = x + Vec3d{std::cos(angle), std::sin(angle), 0} * (length / n);
    parts.push_back({mesh::Capsule{x, next, radius}});
    x = next;
  }
  return {mesh::Union{std::make_shared<const std::vector<mesh::Shape>>(std::move(parts))}};
}

// Coarser than the default, for speed.
ActiveShapeSettings coarse() {
  ActiveShapeSettings settings;
  settings.spacing = 0.025;
  settings.margin = 1;
  return settings;
}

const mesh::Shape kPassive = spindle({0, 0, 0}, {0.2, 0, 0}, 0.025, 0.010);

TEST(ActiveShape, ShortensAndThickensAMuscle) {
  const ActiveShapeFit fit =
      fit_active_shape(kPassive, spindle({0, 0, 0}, {0.15, 0, 0}, 0.029, 0.011), coarse());
  // Found: 0.1 mm in the mean and 1 mm at the worst place, near an end.
  EXPECT_LT(fit.mean_distance, 2.5e-4);
  EXPECT_LT(fit.largest_distance, 2e-3);
  EXPECT_NEAR(fit.mapped_volume_ratio, fit.volume_ratio, 0.005);
  EXPECT_LT(fit.volume_spread, 0.06);
  EXPECT_GT(fit.least_volume_ratio, 0.7);
  EXPECT_EQ(fit.turn, 0);
  // The far end follows, and what is between is shortened about evenly.
  EXPECT_NEAR(evaluate(fit.map, {0.2, 0, 0}).place.x, 0.15, 0.004);
  EXPECT_NEAR(evaluate(fit.map, {0.1, 0, 0}).place.x, 0.075, 0.006);
  EXPECT_NEAR(evaluate(fit.map, {0.1, 0, 0}).gradient(0, 0), 0.75, 0.08);
  // Around the muscle too, without a fold.
  for (const Vec3d& X : {Vec3d{0.1, 0.04, 0}, Vec3d{-0.02, 0, 0.01}, Vec3d{0.22, 0, 0}}) {
    EXPECT_GT(determinant(evaluate(fit.map, X).gradient), 0.2);
  }
}

TEST(ActiveShape, BendsAMuscle) {
  ActiveShapeSettings settings = coarse();
  settings.spacing = 0.022;
  const ActiveShapeFit fit = fit_active_shape(bent(0.2, 0, 0.02), bent(0.2, 1.0, 0.02), settings);
  EXPECT_LT(fit.mean_distance, 2e-4);
  EXPECT_LT(fit.largest_distance, 1.5e-3);
  EXPECT_NEAR(fit.mapped_volume_ratio, 1, 0.01);
  EXPECT_LT(fit.volume_spread, 0.03);
  // The chord turns by half the bend, which is factored out; the far end by all of it.
  EXPECT_NEAR(fit.turn, 0.5, 0.02);
  const Vec3d far = evaluate(fit.map, {0.19, 0, 0}).gradient.col(0);
  EXPECT_NEAR(std::atan2(far.y, far.x), 1.0, 0.1);
}

TEST(ActiveShape, TurnsAMuscleWithoutStretchingItOnTheWay) {
  const ActiveShapeFit fit =
      fit_active_shape(kPassive, spindle({0, 0, 0}, {0, 0.2, 0}, 0.025, 0.010), coarse());
  EXPECT_NEAR(fit.turn, std::acos(0.0), 1e-3);
  EXPECT_LT(fit.mean_distance, 1e-4);
  EXPECT_LT(fit.volume_spread, 0.01);
  const Mat3d half = evaluate(fit.map, {0.1, 0.01, 0}, 0.5).gradient;
  const Mat3d error = transpose(half) * half - Mat3d::identity();
  EXPECT_LT(std::sqrt(inner(error, error)), 0.02);
}

TEST(ActiveShape, LandmarksSaySlidingAlongTheSurface) {
  const mesh::Shape ball{mesh::Sphere{{0, 0, 0}, 0.05}};
  ActiveShapeSettings settings = coarse();
  const double a = 0.5;
  for (int i = 0; i < 4; ++i) {
    const double t = 1.5707963267948966 * i;
    settings.landmarks.push_back({Vec3d{std::cos(t), std::sin(t), 0} * 0.05,
                                  Vec3d{std::cos(t + a), std::sin(t + a), 0} * 0.05});
  }
  const ActiveShapeFit still = fit_active_shape(ball, ball, coarse());
  EXPECT_LT(norm(evaluate(still.map, {0.05, 0, 0}).place - Vec3d{0.05, 0, 0}), 1e-4);
  const ActiveShapeFit turned = fit_active_shape(ball, ball, settings);
  EXPECT_LT(norm(evaluate(turned.map, {0.05, 0, 0}).place - settings.landmarks[0].second), 1e-3);
  EXPECT_LT(turned.mean_distance, 3e-4);
}

TEST(ActiveShape, ThreadsChangeNoBit) {
  ActiveShapeSettings settings = coarse();
  settings.spacing = 0.03;
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return fit_active_shape({mesh::Sphere{{0, 0, 0}, 0.05}}, {mesh::Sphere{{0.01, 0, 0}, 0.045}},
                            settings);
  };
  EXPECT_EQ(run(1).map.coefficients, run(2).map.coefficients);
}

TEST(ActiveFit, GradientIsTheDerivativeOfTheEnergy) {
  const mesh::Shape active = spindle({0, 0.01, 0}, {0.16, 0.02, 0}, 0.03, 0.01);
  ActiveMap start;
  start.lattice = make_spline_lattice(mesh::compute_bounds(kPassive), 0.05, 1);
  start.angle = 0.4;
  std::vector<SurfacePoint> from, to;
  for (int i = 0; i < 40; ++i) {
    const double s = 0.2 * i / 40;
    from.push_back({{s, 0.02 * std::sin(i), 0.02 * std::cos(i)}, {0, 0, 1}, 1e-4});
    to.push_back({{0.8 * s, 0.03 * std::cos(i), 0.02 * std::sin(i)},
                  normalized(Vec3d{0.1, std::cos(i), std::sin(i)}),
                  1e-4});
  }
  ActiveFit fit(kPassive, active, from, to, 0.9, start);
  fit.set_springs({{{{{0.2, 0, 0}, 0.5}, {{0.18, 0, 0}, 0.5}}, {0.1, 0.1, 0}, 0.3}});
  fit.set_weights({3.0, 1.0, 20.0, 0.05});
  std::vector<double> x = fit.coefficients();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.003 * std::sin(7.0 * static_cast<double>(i));
  fit.set_coefficients(x);
  fit.match();
  std::vector<double> gradient(x.size()), unused(x.size());
  ASSERT_TRUE(std::isfinite(fit.evaluate(x, gradient)));
  double size = 0, error = 0;
  for (std::size_t i = 0; i < x.size(); i += 17) {
    std::vector<double> y = x;
    const double h = 1e-7;
    y[i] = x[i] + h;
    const double up = fit.evaluate(y, unused);
    y[i] = x[i] - h;
    const double down = fit.evaluate(y, unused);
    size = std::max(size, std::abs(gradient[i]));
    error = std::max(error, std::abs((up - down) / (2 * h) - gradient[i]));
  }
  EXPECT_LT(error, 1e-5 * size);  // distances of a spindle have kinks; none is met here
}

TEST(QuasiNewton, FindsTheFloorOfACurvedValleyBehindABarrier) {
  // Rosenbrock's function, forbidden where x > 1.5.
  const SmoothFunction f = [](const std::vector<double>& x, std::vector<double>& g) {
    if (x[0] > 1.5) return std::numeric_limits<double>::infinity();
    const double a = 1 - x[0], b = x[1] - x[0] * x[0];
    g = {-2 * a - 400 * x[0] * b, 200 * b};
    return a * a + 100 * b * b;
  };
  std::vector<double> x{-1.2, 1};
  const DescentReport report = descend(f, {1, 1}, 200, 1e-9, x);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 5);
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 1, 1e-6);
}

}  // namespace
}  // namespace sinew::anatomy
