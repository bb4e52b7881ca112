// The inverse problem of active shapes on the tet engine.
#include "sinew/anatomy/stress_free_shape.h"

#include <cmath>

#include <gtest/gtest.h>

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

const mesh::Bounds kBox{{-0.05, -0.015, -0.015}, {0.05, 0.015, 0.015}};

// A muscle held at one end, its own weight across it; fully active with this active shape.
Settings make_loaded_settings(const anatomy::ActiveMap& map) {
  Settings settings = make_box_settings({0.1, 0.03, 0.03}, 0.015,
                                        material::NeoHookean{material::compute_lame(3e4, 0.4)});
  BodySettings& body = settings.bodies[0];
  body.regions.push_back({"all", {}, engine::KeyFrames{{0}, {1}}, {}});
  body.active_shape = std::make_shared<const anatomy::ActiveMap>(map);
  hold("origin", -1, -0.0499, {}, settings);
  settings.world.gravity = {0, -9.8, 0};
  settings.step.integrator = Integrator::kQuasiStatic;
  settings.step.accuracy = Accuracy::kEngineering;
  settings.step.step = 1;
  return settings;
}

std::vector<Vec3d> load(const anatomy::ActiveMap& map) {
  const Settings settings = make_loaded_settings(map);
  TetEngine engine(make_model(settings), settings);
  engine.advance(1);
  return engine.state().positions;
}

// Bends up and shortens, volume kept nearly.
anatomy::ActiveMap make_true_map() {
  return anatomy::make_active_map(
      [](const Vec3d& X) {
        const double s = X.x + 0.05, k = 3;  // curvature, 1/m
        return Vec3d{-0.05 + 0.8 * s * (1 - k * X.y), X.y / std::sqrt(0.8) + 0.5 * k * 0.8 * s * s,
                     X.z / std::sqrt(0.8)};
      },
      kBox, 0.02);
}

double rms(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += dot(a[n] - b[n], a[n] - b[n]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(StressFreeShape, IsRecoveredFromTheLoadedShapeOfAKnownOne) {
  const anatomy::ActiveMap truth = make_true_map();
  const std::vector<Vec3d> imaged = load(truth);
  const std::vector<Vec3d> points = make_model(make_loaded_settings(truth)).rest_positions;
  // What the paper uses: the imaged shape itself.
  anatomy::ActiveMap start = truth;
  std::vector<Vec3d> moved;
  for (std::size_t n = 0; n < points.size(); ++n) moved.push_back(imaged[n] - points[n]);
  start.coefficients = anatomy::approximate_scattered(start.lattice, points, moved);
  anatomy::StressFreeSettings settings;
  settings.max_iterations = 15;
  settings.tolerance = 2e-5;
  const anatomy::StressFreeShape found =
      anatomy::find_stress_free_shape(points, imaged, start, load, settings);
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.distances[0], 2e-3);  // sagged twice
  EXPECT_LT(found.distance, 2e-5);
  // And it is the known one, as far as its stretches go, which are all that counts.
  double first = 0, last = 0;
  int count = 0;
  for (const Vec3d& X : points) {
    if (std::abs(X.x) > 0.04 || std::abs(X.y) > 0.015 || std::abs(X.z) > 0.015) continue;
    const auto stretch = [&](const anatomy::ActiveMap& map) {
      return anatomy::compute_stretch(
          anatomy::find_principal_stretches(anatomy::evaluate(map, X).gradient, true), 1);
    };
    const Mat3d a = stretch(start) - stretch(truth), b = stretch(found.map) - stretch(truth);
    first += inner(a, a), last += inner(b, b), ++count;
  }
  ASSERT_GT(count, 10);
  EXPECT_GT(std::sqrt(first / count), 0.03);
  EXPECT_LT(last, first / 16);
}

TEST(StressFreeShape, ConvergesFasterWithMemory) {
  // A stand-in for the simulator that answers too little along x and too much along y, and sags.
  const mesh::Bounds box{{0, 0, 0}, {1, 0.2, 0.2}};
  const anatomy::ActiveMap truth = anatomy::make_uniform_active_map({0, 0, 0}, {1, 0, 0}, 0.8, box);
  std::vector<Vec3d> points;
  for (int i = 0; i < 60; ++i) {
    points.push_back({i / 60.0, 0.1 + 0.1 * std::sin(i), 0.1 + 0.1 * std::cos(3.0 * i)});
  }
  const anatomy::LoadedShape simulate = [&](const anatomy::ActiveMap& map) {
    std::vector<Vec3d> places;
    for (const Vec3d& X : points) {
      const Vec3d x = anatomy::evaluate(map, X).place;
      places.push_back({0.2 * x.x, 1.8 * x.y - 0.3 * x.x * x.x, 0.8 * x.z});
    }
    return places;
  };
  const std::vector<Vec3d> imaged = simulate(truth);
  const anatomy::ActiveMap start = anatomy::make_uniform_active_map({0, 0, 0}, {1, 0, 0}, 1.0, box);
  anatomy::StressFreeSettings settings;
  settings.max_iterations = 12;
  settings.tolerance = 1e-9;
  const auto with = anatomy::find_stress_free_shape(points, imaged, start, simulate, settings);
  settings.memory = 0;
  const auto without = anatomy::find_stress_free_shape(points, imaged, start, simulate, settings);
  EXPECT_LT(with.distance, 0.2 * without.distance);
  EXPECT_LT(without.distance, 0.3 * without.distances[0]);  // 0.8 an iteration
  EXPECT_GT(rms(simulate(start), imaged), 0.01);
}

}  // namespace
}  // namespace sinew::tet
