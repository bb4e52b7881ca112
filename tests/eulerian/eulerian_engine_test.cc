#include "sinew/eulerian/eulerian_engine.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/eulerian/observe.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

struct Crushed {
  double volume = 0, surface = 0, error = 0;  // largest changes on the way
};

Crushed crush(int n, VolumeMode mode, Integrator integrator) {
  Settings settings = make_cube(n, mode, integrator);
  press(120, settings);
  EulerianEngine engine(settings);
  const BodyFigures start = compute_figures(engine.model(), engine.state(), 0);
  Crushed out;
  for (int i = 1; i <= 10; ++i) {
    engine.advance(0.003 * i);
    const BodyFigures f = compute_figures(engine.model(), engine.state(), 0);
    out.volume = std::max(out.volume, std::abs(f.volume / start.volume - 1));
    out.surface = std::max(out.surface, std::abs(f.surface_volume / start.surface_volume - 1));
    out.error = std::max(out.error, f.volume_error);
  }
  return out;
}

TEST(CrushedCube, LosesAFifthWithoutAConstraintAndNothingWithOne) {
  const Crushed none = crush(20, VolumeMode::kNone, Integrator::kExplicit);
  EXPECT_GT(none.volume, 0.2);
  EXPECT_GT(none.surface, 0.2);
  const Crushed kept = crush(20, VolumeMode::kStabilized, Integrator::kExplicit);
  // On 32^3 it is 0.2 %; these cells are 1.6 times larger.
  EXPECT_LT(kept.volume, 0.004);
  EXPECT_LT(kept.surface, 0.004);
  EXPECT_LT(kept.error, 0.02);
}

TEST(CrushedCube, KeepsItsVolumeInImplicitStepsToo) {
  const Crushed kept = crush(20, VolumeMode::kStabilized, Integrator::kImplicit);
  EXPECT_LT(kept.volume, 0.004);
  EXPECT_LT(kept.surface, 0.004);
}

TEST(FreeCube, FliesAsGravityTellsIt) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    Settings settings = make_cube(20, VolumeMode::kStabilized, integrator);
    settings.world.gravity = {0, -10, 0};
    settings.bodies[0].velocity = {0.5, 0.5, 0};
    EulerianEngine engine(settings);
    const Vec3d start = compute_figures(engine.model(), engine.state(), 0).centroid;
    engine.advance(0.05);
    const Vec3d moved = compute_figures(engine.model(), engine.state(), 0).centroid - start;
    // A rigid flight is exact but for the steps' symplectic Euler: g t dt / 2 <= 0.5 mm.
    EXPECT_NEAR(moved.x, 0.025, 1e-4);
    EXPECT_NEAR(moved.y, 0.0125, 6e-4);
    EXPECT_NEAR(moved.z, 0, 1e-6);
  }
}

TEST(FreeCube, AtRestStaysAtRest) {
  EulerianEngine engine(make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit));
  engine.advance(0.01);
  for (const Vec3d& v : engine.state().bodies[0].velocities) EXPECT_LT(norm(v), 1e-9);
}

TEST(EulerianEngine, ThreadsChangeNoBit) {
  std::vector<std::byte> first;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
    press(120, settings);
    EulerianEngine engine(settings);
    engine.advance(0.01);
    if (first.empty()) first = engine.save();
    EXPECT_EQ(engine.save(), first);
  }
}

TEST(EulerianEngine, GoesOnFromASavedStateBitForBit) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    Settings settings = make_cube(16, VolumeMode::kStabilized, integrator);
    press(120, settings);
    EulerianEngine straight(settings), second(settings);
    straight.advance(0.004);
    const std::vector<std::byte> bytes = straight.save();
    straight.advance(0.008);
    second.load(bytes);
    second.advance(0.008);
    EXPECT_EQ(second.save(), straight.save());
  }
}

TEST(EulerianEngine, RefusesBytesThatAreNoState) {
  EulerianEngine engine(make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit));
  std::vector<std::byte> bytes = engine.save();
  EXPECT_THROW(engine.load(std::span(bytes).first(bytes.size() - 1)), std::invalid_argument);
  EXPECT_THROW(engine.load({}), std::invalid_argument);
  bytes.push_back(std::byte{});
  EXPECT_THROW(engine.load(bytes), std::invalid_argument);
  State still = engine.state();
  still.grids[0].angular_velocity.y = std::nan("");
  EXPECT_THROW(engine.load(to_bytes(still)), std::invalid_argument);
  State empty = engine.state();
  empty.bodies[0].nodes.clear();
  empty.bodies[0].material.clear();
  empty.bodies[0].velocities.clear();
  EXPECT_THROW(engine.load(to_bytes(empty)), std::invalid_argument);
}

TEST(Figures, OfABodyWithoutFullCellsAreFinite) {
  // Half a cell thick, in the middle of a layer of nodes: no cell is 0.3 full.
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.bodies[0].shape = {mesh::Box{{0, 0, 0}, {0.14, 0.01, 0.14}}};
  EulerianEngine engine(settings);
  const BodyFigures f = compute_figures(engine.model(), engine.state(), 0);
  EXPECT_GT(f.volume, 0);
  EXPECT_EQ(f.least_J, 1);
  EXPECT_EQ(f.greatest_J, 1);
}

TEST(EulerianEngine, RefusesABodyTooNearTheBorder) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.bodies[0].shape = {mesh::Box{{0.1, 0, 0}, {0.14, 0.14, 0.14}}};
  EXPECT_THROW(EulerianEngine{settings}, std::invalid_argument);
}

TEST(Attachments, HoldTheirMaterialExactly) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.world.gravity = {0, -10, 0};
  const mesh::Shape top{mesh::Box{{0, 0.07, 0}, {0.3, 0.06, 0.3}}};
  settings.bodies[0].attachments.push_back({"top", top, {}, {}});
  EulerianEngine engine(settings);
  engine.advance(0.05);
  const State& state = engine.state();
  const std::vector<Vec3d>& rest = engine.model().bodies[0].surface.positions;
  std::size_t held = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    // A cell within the region, so that all corners around are held.
    if (mesh::signed_distance(top, rest[i]) > -0.021) continue;
    EXPECT_LT(norm(state.bodies[0].surface[i] - rest[i]), 1e-12);
    ++held;
  }
  EXPECT_GT(held, 10U);
  EXPECT_LT(compute_figures(engine.model(), state, 0).centroid.y, -1e-4);
}

// The attachment ends between the body and the next nodes, whose lines lead to where nothing is.
TEST(Attachments, MoveNodesWhoseLinesLeadOutOfTheBody) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  engine::RigidMotion motion;
  motion.travel = {0.01, 0, 0};
  motion.shift = engine::KeyFrames{{0, 0.01}, {0, 1}, engine::Interpolation::kLinear};
  const mesh::Shape all{mesh::HalfSpace{{0, 0.0705, 0}, {0, 1, 0}}};
  settings.bodies[0].attachments.push_back({"all", all, motion, {}});
  EulerianEngine engine(settings);
  engine.advance(0.002);
  const Workspace& w = engine.workspace();
  std::size_t beyond = 0;
  for (const Held& held : w.bodies[0].held) {
    const Vec3d v = velocity_of(w.unknowns, 0, held.node, w.velocity);
    EXPECT_LT(norm(v - Vec3d{1, 0, 0}), 1e-9);
    if (position_of(w.bodies[0].block, held.node).y > 0.0705) ++beyond;
  }
  EXPECT_GT(beyond, 10U);
}

}  // namespace
}  // namespace sinew::eulerian
