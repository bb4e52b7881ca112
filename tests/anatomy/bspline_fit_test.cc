#include "sinew/anatomy/bspline_fit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/anatomy/fiber_field.h"

#include "shared_data.h"

namespace sinew::anatomy {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// A spindle of elliptic sections along an arc of `bend` rad and 0.2 m, closed by two poles.
struct Spindle {
  double bend;
  Vec3d at(double s) const {  // centre line
    if (bend == 0) return {0, 0, 0.2 * s};
    const double r = 0.2 / bend;
    return {r - r * std::cos(bend * s), 0, r * std::sin(bend * s)};
  }
  Vec3d tangent(double s) const { return {std::sin(bend * s), 0, std::cos(bend * s)}; }
  Vec3d normal(double s) const { return {std::cos(bend * s), 0, -std::sin(bend * s)}; }
};

mesh::Surface make_spindle(const Spindle& spindle) {
  constexpr std::uint32_t kRings = 60;
  constexpr std::uint32_t kAround = 32;
  mesh::Surface surface;
  for (std::uint32_t i = 0; i < kRings; ++i) {
    const double s = (i + 0.5) / kRings;
    const double r = 0.02 * spindle_profile(s, 0.25);
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const double angle = 2 * std::numbers::pi * k / kAround;
      surface.positions.push_back(spindle.at(s) + spindle.normal(s) * (r * std::cos(angle)) +
                                  Vec3d{0, 0.6 * r * std::sin(angle), 0});
    }
  }
  const auto first = static_cast<std::uint32_t>(surface.positions.size());
  surface.positions.push_back(spindle.at(0));
  surface.positions.push_back(spindle.at(1));
  const std::uint32_t last = (kRings - 1) * kAround;
  for (std::uint32_t k = 0; k < kAround; ++k) {
    const std::uint32_t next = (k + 1) % kAround;
    surface.triangles.push_back({first, next, k});
    surface.triangles.push_back({first + 1, last + k, last + next});
    for (std::uint32_t i = 0; i < last; i += kAround) {
      surface.triangles.push_back({i + k, i + next, i + kAround + next});
      surface.triangles.push_back({i + k, i + kAround + next, i + kAround + k});
    }
  }
  return surface;
}

BsplineFit fit_spindle(const Spindle& spindle, const mesh::Surface& surface) {
  const Vec3d origin = spindle.at(0);
  const Vec3d insertion = spindle.at(1);
  return fit_bspline_solid(surface, {&origin, 1}, {&insertion, 1}, {});
}

class FitSpindle : public testing::TestWithParam<double> {};

TEST_P(FitSpindle, CoversTheMuscleWithFibersAlongIt) {
  const Spindle spindle = {GetParam()};
  const mesh::Surface surface = make_spindle(spindle);
  ASSERT_NO_THROW(mesh::check_closed(surface, "spindle"));
  const BsplineFit fit = fit_spindle(spindle, surface);
  EXPECT_GT(fit.report.least_jacobian, 0);
  EXPECT_GT(fit.report.covered, 0.99);
  EXPECT_NEAR(fit.report.length, 0.2, 0.004);
  EXPECT_LT(fit.report.mean_angle, 3 * kDegree);
  EXPECT_LT(fit.report.p95_angle, 8 * kDegree);
  // On the axis fibres are its tangent; the fit is smooth and has 14 control points along it.
  const SolidInverse inverse(fit.solid);
  for (const double s : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const SolidPoint found = inverse.find(spindle.at(s));
    EXPECT_LT(found.distance, 1e-12);
    EXPECT_NEAR(found.uvw.x, 0.5, 0.03);
    EXPECT_NEAR(found.uvw.y, 0.5, 0.03);
    EXPECT_NEAR(found.uvw.z, s, 0.02);
    EXPECT_GT(dot(inverse.fiber_direction(spindle.at(s)), spindle.tangent(s)),
              std::cos(3 * kDegree));
  }
}

INSTANTIATE_TEST_SUITE_P(Bends, FitSpindle, testing::Values(0.0, 0.6, 1.2));

TEST(FitBsplineSolid, GivesTheSameBitsAgain) {
  const Spindle spindle = {0.6};
  const mesh::Surface surface = make_spindle(spindle);
  EXPECT_EQ(fit_spindle(spindle, surface).solid.control_points,
            fit_spindle(spindle, surface).solid.control_points);
}

TEST(FitBsplineSolid, FollowsTheOrderOfTheEnds) {
  const Spindle spindle = {0};
  const Vec3d low = spindle.at(0);
  const Vec3d high = spindle.at(1);
  const BsplineFit fit = fit_bspline_solid(make_spindle(spindle), {&high, 1}, {&low, 1}, {});
  EXPECT_LT(SolidInverse(fit.solid).fiber_direction({0, 0, 0.1}).z, -0.99);
}

TEST(FitBsplineSolid, RefusesBadSettingsAndEnds) {
  const Spindle spindle = {0};
  const mesh::Surface surface = make_spindle(spindle);
  const Vec3d low = spindle.at(0);
  const Vec3d high = spindle.at(1);
  const auto expect_refused = [&](auto change) {
    BsplineFitSettings settings;
    change(settings);
    EXPECT_THROW(fit_bspline_solid(surface, {&low, 1}, {&high, 1}, settings),
                 std::invalid_argument);
  };
  expect_refused([](BsplineFitSettings& s) { s.degrees[0] = 4; });
  expect_refused([](BsplineFitSettings& s) { s.counts[2] = 3; });
  expect_refused([](BsplineFitSettings& s) { s.counts[0] = 40; });
  expect_refused([](BsplineFitSettings& s) { s.num_slices = 4; });
  expect_refused([](BsplineFitSettings& s) { s.num_directions = 4; });
  expect_refused([](BsplineFitSettings& s) { s.margin = -1; });
  expect_refused([](BsplineFitSettings& s) { s.least_radius = 0; });
  expect_refused([](BsplineFitSettings& s) { s.smoothing = std::nan(""); });
  EXPECT_THROW(fit_bspline_solid(surface, {&low, 1}, {&low, 1}, {}), std::invalid_argument);
  EXPECT_THROW(fit_bspline_solid(surface, {}, {&low, 1}, {}), std::invalid_argument);
}

struct RealMuscle {
  const char* name;
  double least_covered, largest_mean_angle;  // as measured, with a little room
};

TEST(FitBsplineSolid, SuitsScannedMusclesOfTheArm) {
  const std::filesystem::path folder = find_shared_data() / "bodyparts3d/right_arm/muscles";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "skipped: no data";
  const RealMuscle muscles[] = {{"biceps_brachii_short_head", 0.98, 4 * kDegree},
                                {"brachialis", 0.98, 6 * kDegree},
                                {"flexor_carpi_radialis", 0.99, 3 * kDegree}};
  for (const RealMuscle& muscle : muscles) {
    SCOPED_TRACE(muscle.name);
    const std::string path = (folder / (std::string(muscle.name) + ".stl")).string();
    const mesh::Surface surface = mesh::read_surface(path, 1e-3);
    // These hang nearly upright: their ends are the highest and the lowest vertex.
    const auto lower = [](const Vec3d& a, const Vec3d& b) { return a.z < b.z; };
    const auto [low, high] =
        std::minmax_element(surface.positions.begin(), surface.positions.end(), lower);
    const BsplineFit fit = fit_bspline_solid(surface, {&*high, 1}, {&*low, 1}, {});
    EXPECT_GT(fit.report.least_jacobian, 0);
    EXPECT_GT(fit.report.covered, muscle.least_covered);
    EXPECT_LT(fit.report.mean_angle, muscle.largest_mean_angle);
  }
}

}  // namespace
}  // namespace sinew::anatomy
