#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/eulerian/contact_figures.h"
#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

constexpr double kSpacing = 0.01;

// A block on a longer one; its top is pulled five cells along in a tenth of a second.
Settings make_pair() {
  Settings settings;
  GridSettings grid;
  grid.low = {-0.13, -0.1, -0.07};
  grid.spacing = kSpacing;
  grid.cells = {26, 21, 14};
  settings.grids.push_back(grid);
  BodySettings upper, lower;
  upper.name = "upper";
  upper.shape = {mesh::Box{{-0.03, 0.024, 0}, {0.06, 0.04, 0.04}}};
  lower.name = "lower";
  lower.shape = {mesh::Box{{0, -0.026, 0}, {0.18, 0.06, 0.06}}};
  upper.law = lower.law = {1000, 1e4, 2e4, VolumeMode::kStabilized};
  engine::RigidMotion along;
  along.travel = {0.05, 0, 0};
  along.shift = engine::KeyFrames{{0, 0.1}, {0, 1}, engine::Interpolation::kSmooth};
  const mesh::Shape top{mesh::Box{{-0.03, 0.044, 0}, {0.2, 0.025, 0.2}}};
  const mesh::Shape bottom{mesh::Box{{0, -0.056, 0}, {0.4, 0.025, 0.2}}};
  upper.attachments.push_back({"top", top, along, {}});
  lower.attachments.push_back({"bottom", bottom, {}, {}});
  settings.bodies = {upper, lower};
  ContactSettings contact;
  contact.body = 0;
  contact.other = 1;
  settings.contacts.push_back(contact);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

std::string refusal(const Settings& settings) {
  try {
    EulerianEngine engine(settings);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

TEST(CloseContact, ThatCouldNeverActIsRefused) {
  Settings pair = make_pair();
  EXPECT_EQ(refusal(pair), "accepted");
  pair.contacts[0].patch = mesh::Shape{mesh::Box{{-0.03, 0, 0}, {0.2, 0.03, 0.2}}};
  EXPECT_EQ(refusal(pair), "accepted");
  pair.contacts[0].patch = mesh::Shape{mesh::Box{{-30, 0, 0}, {0.2, 0.03, 0.2}}};  // millimetres
  EXPECT_EQ(refusal(pair),
            "contact 0, of \"upper\" with \"lower\": its patch holds nothing of \"upper\"");
  Settings apart = make_pair();
  apart.bodies[0].shape = {mesh::Box{{-0.03, 0.044, 0}, {0.06, 0.04, 0.04}}};  // two cells higher
  EXPECT_NE(refusal(apart).find("contact 0, of \"upper\" with \"lower\": at rest they are nowhere"),
            std::string::npos)
      << refusal(apart);
  apart.contacts[0].patch = mesh::Shape{mesh::Box{{-0.03, 0.02, 0}, {0.2, 0.03, 0.2}}};
  EXPECT_EQ(refusal(apart), "accepted");  // they may meet
}

TEST(CloseContact, SlidesFiveCellsWithoutOverlapOrGap) {
  EulerianEngine engine(make_pair());
  const Vec3d start = compute_figures(engine.model(), engine.state(), 0).centroid;
  double overlap = 0, gap = 0;
  for (int i = 1; i <= 5; ++i) {
    engine.advance(0.02 * i);
    overlap = std::max(overlap, measure_overlap(engine.model(), engine.state(), 0, 1));
    const ContactRows& rows = engine.workspace().contacts.at(0);
    EXPECT_GT(rows.cells.size(), 10U);
    gap = std::max(gap, measure_gap(rows));
  }
  EXPECT_LT(overlap, 0.003);
  EXPECT_LT(gap, 0.1 * kSpacing);
  const Vec3d end = compute_figures(engine.model(), engine.state(), 0).centroid;
  EXPECT_GT(end.x - start.x, 0.045);
  EXPECT_NEAR(end.y, start.y, 0.1 * kSpacing);  // neither sinks in nor lifts off
}

Settings make_thrown_ball() {
  Settings settings;
  GridSettings grid;
  grid.low = {-0.1, -0.06, -0.1};
  grid.spacing = kSpacing;
  grid.cells = {20, 24, 20};
  settings.grids.push_back(grid);
  BodySettings ball;
  ball.name = "ball";
  ball.shape = {mesh::Sphere{{0, 0.055, 0}, 0.05}};
  ball.law = {1000, 2e4, 2e4, VolumeMode::kStabilized};
  ball.velocity = {0, -1, 0};
  settings.bodies.push_back(ball);
  settings.world.gravity = {0, -9.8, 0};
  settings.world.colliders.push_back(
      {"floor", {mesh::HalfSpace{{0, 0, 0}, {0, 1, 0}}}, 0, {}, {}, {}});
  return settings;
}

TEST(Obstacles, StopABallThatIsThrownAtThem) {
  EulerianEngine engine(make_thrown_ball());
  double lowest = 1, volume = 0;
  for (int i = 1; i <= 8; ++i) {
    engine.advance(0.005 * i);
    for (const Vec3d& x : engine.state().bodies[0].surface) lowest = std::min(lowest, x.y);
    const BodyFigures f = compute_figures(engine.model(), engine.state(), 0);
    volume = std::max(volume, std::abs(f.volume / engine.model().bodies[0].rest_volume - 1));
  }
  EXPECT_GT(lowest, -0.05 * kSpacing);
  EXPECT_LT(lowest, 0.1 * kSpacing);  // it did get there: obstacles have a skin of 0.08
  EXPECT_LT(volume, 0.01);
  // Without the floor it would be 48 mm lower.
  EXPECT_GT(compute_figures(engine.model(), engine.state(), 0).centroid.y, 0.03);
}

// The blow is over long before the frame.
TEST(Obstacles, TellTheDeepestSinceTheFrameBefore) {
  Settings settings = make_thrown_ball();
  settings.bodies[0].velocity = {0, -2, 0};
  EulerianEngine engine(settings), stepped(settings);
  engine.advance(0.04);
  double deepest = 0;
  for (int i = 1; i <= 20; ++i) {
    stepped.advance(0.002 * i);
    for (const Vec3d& x : stepped.state().bodies[0].surface) deepest = std::max(deepest, -x.y);
  }
  EXPECT_GT(deepest, 0);
  double penetration = -1;
  for (const auto& m : engine.observe().certificate) {
    if (m.name == "penetration") penetration = m.value;
  }
  EXPECT_NEAR(penetration, deepest, 1e-6);  // steps differ by rounding, the blow magnifies it
}

}  // namespace
}  // namespace sinew::eulerian
