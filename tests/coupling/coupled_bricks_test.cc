// Bricks on a skeleton: they follow bones that are moved.
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/brick/brick_engine.h"
#include "sinew/coupling/coupled_engine.h"

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

using skeleton::FunctionValue;

constexpr double kSlack = 0.02;  // m, of the strings at rest
const Vec3d kElbow{0.08, 0.02, 0};

// A bar of two bricks along x from -0.04 to 0.04 m: its left end tied to bone 0, its right end
// hanging on strings of 2 cm from bone 1.
brick::Settings make_bar() {
  brick::Settings settings;
  brick::BodySettings body;
  body.name = "bar";
  body.mesh = brick::make_box_mesh({-0.04, -0.01, -0.01}, {0.04, 0.01, 0.01}, {2, 1, 1});
  body.materials = {material::make_preset("muscle")};
  body.fiber_axis = 0;
  brick::TieSettings tie;
  tie.name = "origin";
  tie.bone = 0;
  brick::TendonSettings tendon;
  tendon.name = "insertion";
  tendon.bone = 1;
  tendon.parallel = true;
  tendon.to = {kSlack, 0, 0};
  tendon.max_force = 100;
  tendon.damping = 0.05;
  for (std::uint32_t n = 0; n < body.mesh.rest_positions.size(); ++n) {
    if (body.mesh.rest_positions[n].x < -0.0399) tie.nodes.push_back(n);
    if (body.mesh.rest_positions[n].x > 0.0399) tendon.nodes.push_back(n);
  }
  body.ties = {tie};
  body.tendons = {tendon};
  settings.bodies = {body};
  settings.strain = brick::Strain::kLarge;
  settings.world.gravity = {0, 0, 0};
  return settings;
}

std::unique_ptr<CoupledEngine> make_engine(double rate) {
  SkeletonSettings settings;
  const skeleton::Skeleton skeleton = make_forearm(1, 0.2, kElbow);
  settings.track =
      std::make_shared<BoneTrack>(skeleton, std::vector<std::size_t>{0, 1}, rest_pose(skeleton));
  settings.prescribed = {{0, [rate](double t) { return FunctionValue{rate * t, rate, 0}; }}};
  brick::Settings tissue = make_bar();
  tissue.world.bones = make_bones(settings.track);
  return std::make_unique<CoupledEngine>(std::make_unique<brick::BrickEngine>(tissue),
                                         std::move(settings));
}

TEST(CoupledBricks, TendonsPullWhenTheirBoneTurnsAwayAndTiesHold) {
  // The forearm's point of insertion is 2 cm below the elbow: turning forwards draws it away.
  const auto away = make_engine(0.8);
  away->advance(0.5);
  const engine::Frame frame = away->observe();
  EXPECT_DOUBLE_EQ(measure(frame, "coordinate.elbow"), 0.4);
  EXPECT_LT(measure(frame, "attachment_error"), 1e-6);
  EXPECT_GT(measure(frame, "force.bar.insertion"), 0.5);
  const auto nearer = make_engine(-0.8);
  nearer->advance(0.5);
  EXPECT_LT(measure(nearer->observe(), "force.bar.insertion"), 1e-9) << "strings do not push";
}

TEST(CoupledBricks, CanBeSteeredAndGoOnFromTheirBytes) {
  const auto engine = make_engine(0.8);
  std::vector<std::string> names;
  for (const engine::Control& control : engine->controls()) names.push_back(control.name);
  EXPECT_EQ(names.front(), "gravity");
  EXPECT_EQ(names.back(), "joint.elbow");
  engine->advance(0.1);
  const std::vector<std::byte> bytes = engine->save();
  engine->advance(0.2);
  const auto again = make_engine(0.8);
  again->load(bytes);
  again->advance(0.2);
  EXPECT_EQ(again->observe().state_hash, engine->observe().state_hash);
}

TEST(CoupledBricks, DoNotMoveBones) {
  SkeletonSettings settings;
  const skeleton::Skeleton skeleton = make_forearm(1, 0.2, kElbow);
  settings.track =
      std::make_shared<BoneTrack>(skeleton, std::vector<std::size_t>{0, 1}, rest_pose(skeleton));
  settings.two_way = true;
  brick::Settings tissue = make_bar();
  tissue.world.bones = make_bones(settings.track);
  EXPECT_THROW(CoupledEngine(std::make_unique<brick::BrickEngine>(tissue), std::move(settings)),
               std::invalid_argument);
}

}  // namespace
}  // namespace sinew::coupling
