#include "sinew/tet/ties.h"

#include <map>

#include <gtest/gtest.h>

#include "sinew/tet/implicit.h"
#include "sinew/tet/tet_engine.h"

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

AttachmentSettings make_end(const std::string& name, double low, double high,
                            const engine::RigidMotion& motion, const std::string& tied_to = {}) {
  const Vec3d middle{0.5 * (low + high), 0, 0};
  return {name, {mesh::Box{middle, {high - low, 1, 1}}}, motion, {}, {}, tied_to};
}

BodySettings make_bar(const std::string& name, double low, double high) {
  BodySettings bar;
  bar.name = name;
  bar.shape.form = mesh::Box{{0.5 * (low + high), 0, 0}, {high - low, 0.03, 0.03}};
  bar.resolution = 0.01;
  bar.material.law = material::NeoHookean{material::compute_lame(60e3, 0.3)};
  return bar;
}

// Two bars in line, 8 cm each: the left one held at its far end, the right one tied to it and
// moved, where told, at its own.
Settings make_two_bars(const engine::RigidMotion& left) {
  Settings settings;
  settings.world.gravity = {0, 0, 0};
  settings.bodies = {make_bar("left", -0.08, 0), make_bar("right", 0, 0.08)};
  settings.bodies[0].attachments = {make_end("far", -1, -0.0799, left)};
  settings.bodies[1].attachments = {make_end("near", -1, 0.0001, {}, "left")};
  settings.step.integrator = Integrator::kQuasiStatic;
  settings.step.accuracy = Accuracy::kEngineering;
  return settings;
}

engine::RigidMotion make_shift(double shift) {
  engine::RigidMotion motion;
  motion.travel = {1, 0, 0};
  motion.shift = engine::KeyFrames{{0, 1}, {0, shift}};
  return motion;
}

TEST(Ties, APullGoesThroughLikeInOneBar) {
  constexpr double kPull = 0.008;  // m: 5 %
  Settings settings = make_two_bars({});
  settings.bodies[1].attachments.push_back(make_end("far", 0.0799, 1, make_shift(kPull)));
  settings.step.step = 1;
  const Solved two = solve(settings, 1);
  ASSERT_EQ(two.model.attachments.size(), 2u);
  ASSERT_GT(two.model.ties.size(), 8u);
  settings.bodies = {make_bar("one", -0.08, 0.08)};
  settings.bodies[0].attachments = {make_end("left", -1, -0.0799, {}),
                                    make_end("right", 0.0799, 1, make_shift(kPull))};
  const Solved one = solve(settings, 1);
  const double force = two.observation.reactions[0].x;
  const double wanted = one.observation.reactions[0].x;
  EXPECT_GT(wanted, 1);  // N
  EXPECT_NEAR(force, wanted, 0.02 * wanted);
  EXPECT_LT(norm(two.observation.reactions[0] + two.observation.reactions[1]), 1e-4 * force);
}

// Nothing but the tie holds the right bar: it turns with the left one, unstrained.
TEST(Ties, WhatIsTiedFollowsItsCarrier) {
  engine::RigidMotion turn;
  turn.center = {-0.08, 0, 0};
  turn.angle = engine::KeyFrames{{0, 1}, {0, 0.6}};
  Settings settings = make_two_bars(turn);
  settings.step.step = 0.25;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StageSolver solver(model);
  StepStatistics statistics;
  advance_implicit(model, 1, state, solver, statistics);
  EXPECT_EQ(statistics.unconverged, 0u);
  const engine::RigidPose pose = engine::evaluate(turn, 1);
  double farthest = 0;
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    const Vec3d away = state.positions[n] - engine::apply(pose, model.rest_positions[n]);
    farthest = std::max(farthest, norm(away));
  }
  EXPECT_LT(farthest, 1e-5);
}

TEST(Ties, CarriersFeelWhatTheyCarry) {
  const Model model = make_model(make_two_bars({}));
  Field3d positions(model.rest_positions.size()), forces(positions.size());
  for (std::size_t n = 0; n < positions.size(); ++n) {
    positions.set(n, model.rest_positions[n] * 1.25);  // affine: carriers know it exactly
    forces.set(n, {1.0 + static_cast<double>(n), -2.0, 0.5 * static_cast<double>(n)});
  }
  Field3d placed = positions;
  for (const Tie& tie : model.ties) placed.set(tie.node, {});
  place_tied(model, placed);
  // Virtual work is kept: f . T x = (T^T f) . x.
  Field3d handed = forces;
  hand_over(model, handed);
  double before = 0, after = 0, torn = 0;
  for (std::size_t n = 0; n < positions.size(); ++n) {
    before += dot(forces[n], placed[n]);
    after += dot(handed[n], positions[n]);
    torn = std::max(torn, norm(placed[n] - positions[n]));
  }
  EXPECT_NEAR(after, before, 1e-9 * std::abs(before));
  EXPECT_LT(torn, 1e-12);
  for (const Tie& tie : model.ties) EXPECT_EQ(handed[tie.node], Vec3d{});
}

// At rest all of it falls alike, what is carried and what carries.
TEST(Ties, CarriersMoveTheMassThatTheyCarry) {
  Settings settings = make_two_bars({});
  settings.bodies[0].attachments.clear();
  settings.world.gravity = {0, -9.80665, 0};
  const Model model = make_model(settings);
  ASSERT_GT(model.ties.size(), 8u);
  const State state = make_state(model, settings);
  const Stage stage = make_backward_euler_stage(model, state, 0.01, state.activations);
  std::vector<Vec3d> accelerations;
  StageSolver(model).compute_accelerations(stage, state.positions, state.positions, accelerations);
  for (const Vec3d& a : accelerations) EXPECT_LT(norm(a - settings.world.gravity), 1e-6);
}

// Where the head ends, its carrier is held: the certificate and the bones know the same pull.
TEST(Ties, AHeldCarrierPullsAtItsBoneForItsHead) {
  Settings settings = make_two_bars({});
  settings.world.bones.names = {"still", "moved"};
  settings.world.bones.pose = [](std::size_t bone, double time) {
    return engine::RigidPose{Mat3d::identity(), Vec3d{bone == 1 ? 0.008 * time : 0, 0, 0}};
  };
  settings.bodies[0].attachments = {make_end("near", -0.0201, 1, {})};
  settings.bodies[1].attachments.push_back(make_end("far", 0.0799, 1, {}));
  settings.bodies[0].attachments[0].bone = 0;
  settings.bodies[1].attachments[1].bone = 1;
  settings.step.step = 1;
  TetEngine engine(settings);
  ASSERT_GT(engine.model().ties.size(), 8u);
  const std::vector<engine::Wrench> wrenches = engine.advance_with_wrenches(1);
  std::map<std::string, double> measured;
  for (const engine::Measure& m : engine.observe().certificate) measured[m.name] = m.value;
  EXPECT_GT(measured["force_x.left.near"], 1);  // N
  // The same forces at the same positions, by kernels and by the scalar reference.
  const double rounding = 1e-6 * measured["force_x.left.near"];
  EXPECT_NEAR(measured["force_x.left.near"], wrenches[0].force.x, rounding);
  EXPECT_NEAR(measured["force_x.right.far"], wrenches[1].force.x, rounding);
  EXPECT_NEAR(measured["force_x.left.near"], -measured["force_x.right.far"], 10 * rounding);
}

// Every node of the left bar wants to be carried, so that none of it can carry; and a bar that is
// far away would have to extrapolate by so much that small forces become large ones.
TEST(Ties, WhatNobodyCanCarryStaysHeld) {
  Settings settings = make_two_bars({});
  settings.bodies[0].attachments = {make_end("all", -1, 1, {}, "right")};
  const Model model = make_model(settings);
  std::vector<char> held(model.rest_positions.size(), 0);
  for (const Attachment& attachment : model.attachments) {
    for (const std::uint32_t n : attachment.nodes) held[n] = 1;
  }
  for (const Tie& tie : model.ties) {
    EXPECT_EQ(held[tie.node], 0);
    held[tie.node] = 1;
    double sum = 0;
    for (const double w : tie.weights) sum += w;
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(mesh::outsideness(tie.weights), 6);
  }
  EXPECT_EQ(held, model.held);
  ASSERT_FALSE(model.ties.empty());
  ASSERT_EQ(model.attachments.size(), 2u);
  EXPECT_EQ(model.attachments[0].name, "all");  // what of it is far from the right bar
  EXPECT_EQ(model.attachments[1].name, "near");
  std::vector<Vec3d> positions = model.rest_positions;
  place_tied(model, positions);
  for (std::size_t n = 0; n < positions.size(); ++n)
    EXPECT_LT(norm(positions[n] - model.rest_positions[n]), 1e-12);
}

TEST(Ties, AreAttachmentsWhereNobodyCanCarry) {
  Settings settings = make_two_bars({});
  settings.bodies[1].attachments[0].tied_to = "nobody";
  EXPECT_EQ(make_model(settings).attachments.size(), 2u);
  EXPECT_TRUE(make_model(settings).ties.empty());
  settings = make_two_bars({});
  settings.step.integrator = Integrator::kSemiExplicit;
  EXPECT_EQ(make_model(settings).attachments.size(), 2u);
}

}  // namespace
}  // namespace sinew::tet
