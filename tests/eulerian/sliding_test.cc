#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/eulerian/contact_figures.h"
#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

constexpr double kSpacing = 0.0125;

engine::RigidMotion shift(const Vec3d& travel, double start, double end) {
  engine::RigidMotion motion;
  motion.travel = travel;
  motion.shift = engine::KeyFrames{{start, end}, {0, 1}, engine::Interpolation::kSmooth};
  return motion;
}

Settings make_pair(const mesh::Shape& first, const mesh::Shape& second) {
  Settings settings;
  BodySettings a, b;
  a.name = "a";
  a.shape = first;
  b.name = "b";
  b.shape = second;
  a.law = b.law = {1000, 1e4, 2e4, VolumeMode::kStabilized};
  settings.bodies = {a, b};
  ContactSettings contact;
  contact.body = 0;
  contact.other = 1;
  settings.contacts.push_back(contact);
  settings.world.gravity = {0, 0, 0};
  settings.step.step = 0.004;
  return settings;
}

TEST(CloseContact, HoldsWhenPulledAlongAndThenAway) {
  // A block on a longer one: its top goes five cells along, then the other's bottom goes down.
  const double h = kSpacing;
  Settings settings = make_pair({mesh::Box{{-2.5 * h, 2.4 * h, 0}, {5 * h, 4 * h, 4 * h}}},
                                {mesh::Box{{0, -2.6 * h, 0}, {14 * h, 6 * h, 5 * h}}});
  settings.grids.push_back({{-11 * h, -10 * h, -6 * h}, h, {22, 18, 12}, {}, {}});
  settings.bodies[0].attachments.push_back(
      {"top", {mesh::HalfSpace{{0, 3.2 * h, 0}, {0, -1, 0}}}, shift({5 * h, 0, 0}, 0, 0.16), {}});
  settings.bodies[1].attachments.push_back({"bottom",
                                            {mesh::HalfSpace{{0, -4.4 * h, 0}, {0, 1, 0}}},
                                            shift({0, -0.5 * h, 0}, 0.16, 0.24),
                                            {}});
  EulerianEngine engine(settings);
  const Vec3d start = compute_figures(engine.model(), engine.state(), 0).centroid;
  for (int i = 1; i <= 6; ++i) {
    engine.advance(0.04 * i);
    EXPECT_LT(measure_overlap(engine.model(), engine.state(), 0, 1), 0.003);
    EXPECT_LT(measure_gap(engine.workspace().contacts.at(0)), 0.1 * h);
    EXPECT_GT(engine.workspace().contacts.at(0).cells.size(), 5U);
  }
  const Vec3d moved = compute_figures(engine.model(), engine.state(), 0).centroid - start;
  EXPECT_GT(moved.x, 4.5 * h);
  EXPECT_LT(moved.y, -0.05 * h);  // drawn down by the other
}

TEST(CloseContact, LetsABallTurnInItsSocket) {
  const double radius = 0.05;
  const mesh::Shape ball{mesh::Sphere{{0, 0, 0}, radius}};
  const auto parts = std::make_shared<std::vector<mesh::Shape>>();
  parts->push_back({mesh::Box{{0, -0.03, 0}, {0.18, 0.1, 0.18}}});
  parts->push_back(ball);
  Settings settings = make_pair(ball, {mesh::Difference{parts}});
  settings.grids.push_back({{-0.15, -0.15, -0.15}, kSpacing, {24, 24, 24}, {}, {}});
  engine::RigidMotion turn;
  turn.angle =
      engine::KeyFrames{{0, 0.2}, {0, std::numbers::pi / 2}, engine::Interpolation::kSmooth};
  settings.bodies[0].attachments.push_back({"core", {mesh::Sphere{{0, 0, 0}, 0.025}}, turn, {}});
  settings.bodies[1].attachments.push_back(
      {"bottom", {mesh::HalfSpace{{0, -0.06, 0}, {0, 1, 0}}}, {}, {}});
  settings.contacts[0].patch = mesh::Shape{mesh::Sphere{{0, 0, 0}, 1}};  // all of it comes there
  EulerianEngine engine(settings);
  for (int i = 1; i <= 4; ++i) {
    engine.advance(0.05 * i);
    EXPECT_LT(measure_overlap(engine.model(), engine.state(), 0, 1), 0.001);
    EXPECT_LT(measure_gap(engine.workspace().contacts.at(0)), 0.1 * kSpacing);
  }
  // What was on the right of the ball is at its top.
  const State& state = engine.state();
  const std::vector<Vec3d>& rest = engine.model().bodies[0].surface.positions;
  double worst = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec3d turned{-rest[i].y, rest[i].x, rest[i].z};
    worst = std::max(worst, norm(state.bodies[0].surface[i] - turned));
  }
  EXPECT_LT(worst, 0.5 * kSpacing);  // soft: it lags behind its core
}

}  // namespace
}  // namespace sinew::eulerian
