#include "sinew/tet/semi_explicit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fixtures.h"

namespace sinew::tet {
namespace {

double largest_speed(const State& state) {
  double largest = 0;
  for (const Vec3d& v : state.velocities) largest = std::max(largest, norm(v));
  return largest;
}

// Speed after many steps at a fixed part of the critical step, started from a tiny disturbance in
// the stiffest mode.
double speed_after_steps_at(double part) {
  Settings settings = make_torus_settings(0.03);
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  ForceWorkspace ws;
  StabilityWorkspace stability;
  std::vector<Vec3d> forces;
  compute_elastic_forces(model, {1.0}, state.positions, ws, forces);
  update_frequency(model, {1.0}, forces, 200, state, stability);
  const double h = part * critical_step(state);
  for (std::size_t n = 0; n < state.velocities.size(); ++n) {
    state.velocities[n] = state.stiffest_mode[n] * 1e-9;
  }
  // Plain leapfrog with this step, so that nothing adapts it.
  for (int k = 0; k < 200; ++k) {
    compute_elastic_forces(model, {1.0}, state.positions, ws, forces);
    for (std::size_t n = 0; n < forces.size(); ++n) {
      state.velocities[n] += forces[n] * (h / model.masses[n]);
      state.positions[n] += state.velocities[n] * h;
    }
  }
  return largest_speed(state);
}

TEST(Stability, CriticalStepSeparatesStableFromUnstable) {
  const double stable = speed_after_steps_at(0.97);
  const double unstable = speed_after_steps_at(1.03);
  EXPECT_LT(stable, 1e-5);
  EXPECT_GT(unstable, 1e3 * stable);
}

TEST(SemiExplicit, FreeFallFollowsTheParabola) {
  Settings settings = make_torus_settings(0.03);
  settings.world.gravity = {0, -9.80665, 0};
  settings.bodies[0].velocity = {1, 2, 0};
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  advance(model, 0.3, state, ws);
  EXPECT_EQ(state.time, 0.3);
  for (std::size_t n = 0; n < state.positions.size(); n += 17) {
    const Vec3d expected = model.rest_positions[n] + Vec3d{0.3, 0.6 - 0.5 * 9.80665 * 0.09, 0};
    EXPECT_LT(norm(state.positions[n] - expected), 1e-9);
  }
}

// What is left of a rigid motion's speed after 0.2 s of mass damping at 5 1/s.
double damped_speed(double max_step) {
  Settings settings = make_torus_settings(0.04);
  settings.bodies[0].velocity = {1, 0, 0};
  settings.bodies[0].material.damping.mass_rate = 5;
  settings.step.tolerance = 1e-10;
  settings.step.max_step = max_step;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  advance(model, 0.2, state, ws);
  return linear_momentum(model, state).x / (1000 * model.bodies[0].rest_volume);
}

TEST(SemiExplicit, DampingDecaysExponentiallyAtFirstOrder) {
  // Both halves of a step take damping implicitly: stable for any damping, of first order in it.
  const double coarse = damped_speed(1e-3) - std::exp(-1.0);
  const double fine = damped_speed(5e-4) - std::exp(-1.0);
  EXPECT_NEAR(coarse, 0, 1e-3);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

TEST(SemiExplicit, BodyComesToRestOnAFloorWithoutSinkingIn) {
  Settings settings = make_torus_settings(0.03);
  settings.world.gravity = {0, -9.80665, 0};
  settings.bodies[0].material.damping = {5, 5e-3};
  add_floor(0.2, -0.042, settings);
  TetEngine engine(settings);
  engine.advance(0.7);
  const engine::Frame frame = engine.observe();
  EXPECT_LT(measure(frame.certificate, "max_overlap"), 1e-4);
  EXPECT_LT(measure(frame.certificate, "kinetic_energy"), 1e-5);
  EXPECT_EQ(measure(frame.certificate, "inverted"), 0);
}

TEST(SemiExplicit, SlidingBoxStopsWhereCoulombSays) {
  // A stiff box on a floor with friction mu, thrown along it: it slides v^2 / (2 mu g).
  constexpr double kMu = 0.4, kSpeed = 1.0;
  Settings settings = make_box_settings({0.12, 0.04, 0.12}, 0.04,
                                        material::Corotated{material::compute_lame(2e5, 0.2)});
  settings.world.gravity = {0, -9.80665, 0};
  settings.bodies[0].velocity = {kSpeed, 0, 0};
  settings.bodies[0].material.damping.stiffness_time = 1e-3;
  add_floor(kMu, -0.02, settings);
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  advance(model, 0.6, state, ws);
  Vec3d moved{};
  double mass = 0;
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    moved += model.masses[n] * (state.positions[n] - model.rest_positions[n]);
    mass += model.masses[n];
  }
  const double expected = kSpeed * kSpeed / (2 * kMu * 9.80665);
  EXPECT_NEAR(moved.x / mass, expected, 0.03 * expected);  // it rocks a little as it slides
  EXPECT_LT(std::abs(linear_momentum(model, state).x), 1e-3 * mass * kSpeed);
}

TEST(SemiExplicit, NothingIsLostWhenAStepFails) {
  // A collider that strikes at 2 km/s: steps fail and are halved, no NaN is ever kept.
  Settings settings = make_torus_settings(0.04);
  engine::Collider hammer;
  hammer.name = "hammer";
  hammer.shape.form = mesh::Sphere{{0, 1, 0}, 0.3};
  hammer.travel = {0, -1, 0};
  hammer.motion = engine::KeyFrames{{0, 5e-4}, {0, 1}};
  settings.world.colliders.push_back(hammer);
  TetEngine engine(settings);
  engine.advance(1e-3);
  const engine::Frame frame = engine.observe();
  EXPECT_GT(measure(frame.certificate, "halved_steps"), 0);
  for (const Vec3d& x : engine.state().positions) EXPECT_TRUE(is_finite(x));
}

TEST(SemiExplicit, AStepThatCannotSucceedIsSaidAndLeavesTheLastGoodState) {
  Settings settings = make_torus_settings(0.04);
  settings.step.min_step = 1e-3;
  settings.bodies[0].material.law = material::NeoHookean{material::compute_lame(1e9, 0.3)};
  settings.bodies[0].angular_velocity = {1, 0, 0};
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  EXPECT_THROW(advance(model, 0.1, state, ws), engine::StepFailure);
  EXPECT_EQ(state.time, 0);
  EXPECT_TRUE(state.positions == model.rest_positions);
}

TEST(SemiExplicit, CrushedFlatTorusStandsUpAgain) {
  Settings settings = make_torus_settings(0.025);
  settings.bodies[0].material.damping.stiffness_time = 4e-3;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  for (Vec3d& x : state.positions) x.y *= -0.05;  // flat, and turned inside out
  StepWorkspace ws;
  advance(model, 0.5, state, ws);
  refresh_forces(model, state, ws);
  for (const Mat3d& F : ws.force.F) {
    EXPECT_NEAR(determinant(F), 1, 0.02);
  }
}

}  // namespace
}  // namespace sinew::tet
