#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

// The bar held at both ends; its active shape is 0.9 times as long and of the same volume.
Settings make_active_bar(Integrator integrator) {
  Settings settings = make_bar(integrator);
  BodySettings& body = settings.bodies[0];
  body.attachments.push_back({"left", {mesh::Box{{-0.08, 0, 0}, {0.05, 0.1, 0.1}}}, {}, {}});
  body.attachments.push_back({"right", {mesh::Box{{0.08, 0, 0}, {0.05, 0.1, 0.1}}}, {}, {}});
  body.active_map = [](const Vec3d& X) {
    return Vec3d{0.9 * X.x, X.y / std::sqrt(0.9), X.z / std::sqrt(0.9)};
  };
  body.activation = engine::KeyFrames{{0, 0.05}, {0, 1}, engine::Interpolation::kSmooth};
  return settings;
}

TEST(ActiveShape, PullsAsABarThatIsStretchedByItsInverse) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    EulerianEngine engine(make_active_bar(integrator));
    const BodyFigures start = compute_figures(engine.model(), engine.state(), 0);
    engine.advance(0.14);
    const auto r = engine.advance_with_reactions(0.15);
    // Nothing need move: F~ = (1/0.9, sqrt 0.9, sqrt 0.9) is isochoric, its stress uniaxial.
    const double l = 1 / 0.9, expected = 1e4 * (l * l - 1 / l) * 0.06 * 0.06;
    EXPECT_NEAR(r[0].wrench.force.x, expected, 0.02 * expected);
    EXPECT_NEAR(r[1].wrench.force.x, -r[0].wrench.force.x, 0.005 * expected);
    const BodyFigures end = compute_figures(engine.model(), engine.state(), 0);
    EXPECT_NEAR(end.volume / start.volume, 1, 0.0025);
    EXPECT_LT(norm(end.centroid - start.centroid), 1e-4);
    EXPECT_LT(end.kinetic_energy, 1e-5 * end.elastic_energy);
  }
}

// Half active is the root of the stretch; that the active shape is drawn turned does not matter.
TEST(ActiveShape, PullsByAPowerOfItsStretchWhereItIsPartlyActive) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    Settings settings = make_active_bar(integrator);
    const auto straight = settings.bodies[0].active_map;
    const Mat3d turn = engine::make_rotation(normalized(Vec3d{1, 2, -1}), 2);
    settings.bodies[0].active_map = [=](const Vec3d& X) { return turn * straight(X); };
    settings.bodies[0].activation->values[1] = 0.5;
    EulerianEngine engine(settings);
    engine.advance(0.14);
    const auto r = engine.advance_with_reactions(0.15);
    const double l = 1 / std::sqrt(0.9), expected = 1e4 * (l * l - 1 / l) * 0.06 * 0.06;
    EXPECT_NEAR(r[0].wrench.force.x, expected, 0.02 * expected);
    EXPECT_NEAR(r[1].wrench.force.x, -r[0].wrench.force.x, 0.005 * expected);
  }
}

// Of a bar of 0.24 m: less than half as long on the left, and thicker; x~' = 0.4 up to 0.4 of the
// length, 1 from 0.7 on, of the same volume on the axis.
Vec3d shrink_left(const Vec3d& X) {
  const double s = (X.x + 0.12) / 0.24, t = std::clamp((s - 0.4) / 0.3, 0.0, 1.0);
  const double slope = 0.4 + 0.6 * t * t * (3 - 2 * t);
  const double beyond = std::max(0.0, s - 0.7);
  const double place = 0.4 * s + 0.6 * (0.3 * t * t * t * (1 - t / 2) + beyond);
  return {0.24 * place - 0.12, X.y / std::sqrt(slope), X.z / std::sqrt(slope)};
}

TEST(ActiveShape, MovesItsMassBetweenEndsThatStay) {
  Settings settings = make_active_bar(Integrator::kImplicit);
  settings.grids[0].low = {-0.2, -0.14, -0.14};
  settings.grids[0].cells = {20, 14, 14};
  BodySettings& bar = settings.bodies[0];
  bar.shape = {mesh::Box{{0, 0, 0}, {0.24, 0.08, 0.08}}};
  bar.attachments[0].where = {mesh::HalfSpace{{-0.119, 0, 0}, {1, 0, 0}}};
  bar.attachments[1].where = {mesh::HalfSpace{{0.119, 0, 0}, {-1, 0, 0}}};
  bar.active_map = shrink_left;
  bar.activation = engine::KeyFrames{{0, 0.2}, {0, 1}, engine::Interpolation::kSmooth};
  EulerianEngine engine(settings);
  const BodyFigures start = compute_figures(engine.model(), engine.state(), 0);
  engine.advance(0.3);
  const BodyFigures end = compute_figures(engine.model(), engine.state(), 0);
  EXPECT_LT(end.centroid.x - start.centroid.x, -0.1 * 0.24);
  // scenes/active-shape.toml, on cells a quarter as large, keeps it to 0.0005.
  EXPECT_NEAR(end.volume / start.volume, 1, 0.01);
  EXPECT_LT(end.kinetic_energy, 1e-5 * engine.state().work);
  // What activation did is stored, but for what friction and the steps' own damping took.
  EXPECT_GT(engine.state().work, end.elastic_energy);
  EXPECT_LT(engine.state().work, 1.2 * end.elastic_energy);
  const std::vector<Vec3d>& rest = engine.model().bodies[0].surface.positions;
  std::size_t held = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (std::abs(rest[i].x) < 0.1195) continue;  // the end faces
    EXPECT_LT(norm(engine.state().bodies[0].surface[i] - rest[i]), 1e-6);
    ++held;
  }
  EXPECT_GT(held, 10U);
}

}  // namespace
}  // namespace sinew::eulerian
