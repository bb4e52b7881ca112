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
  compute_elastic_forces(model, input_at_rest(model), state.positions, ws, forces);
  update_frequency(model, input_at_rest(model), forces, 200, state, stability);
  const double h = part * critical_step(state);
  for (std::size_t n = 0; n < state.velocities.size(); ++n) {
    state.velocities[n] = state.stiffest_mode[n] * 1e-9;
  }
  // Plain leapfrog with this step, so that nothing adapts it.
  for (int k = 0; k < 200; ++k) {
    compute_elastic_forces(model, input_at_rest(model), state.positions, ws, forces);
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

TEST(Stability, ASecondBodyDoesNotHideHowStiffTheFirstBecomes) {
  // The first body stiffens ten thousandfold while a stiffer one lies beside it.
  Settings settings = make_torus_settings(0.04);
  settings.bodies.push_back(settings.bodies[0]);
  settings.bodies[1].name = "other";
  settings.bodies[1].shape.form = mesh::Torus{{1, 0, 0}, {0, 1, 0}, 0.1, 0.04};
  settings.bodies[0].stiffness = engine::KeyFrames{{0, 0.02}, {0.01, 100}};
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  advance(model, 0.06, state, ws);
  settings.bodies.pop_back();
  const Model alone = make_model(settings);
  State alone_state = make_state(alone, settings);
  StepWorkspace alone_ws;
  advance(alone, 0.06, alone_state, alone_ws);
  EXPECT_NEAR(critical_step(state) / critical_step(alone_state), 1, 0.02);
}

TEST(SemiExplicit, StrongWindIsFollowedAndNotOvershot) {
  Settings settings = make_torus_settings(0.04);
  engine::ForceField wind;
  wind.name = "wind";
  wind.form = engine::WindField{{3, 0, 0}, 5000};
  settings.world.fields.push_back(wind);
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  advance(model, 0.02, state, ws);
  for (const Vec3d& v : state.velocities) EXPECT_LT(norm(v - Vec3d{3, 0, 0}), 1e-3);
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

// A small ball that strikes the tube at 2 km/s.
void add_bullet(Settings& settings) {
  engine::Collider bullet;
  bullet.name = "bullet";
  bullet.shape.form = mesh::Sphere{{0.1, 0.07, 0}, 0.025};
  bullet.travel = {0, -0.1, 0};
  bullet.motion = engine::KeyFrames{{0, 5e-5}, {0, 1}};
  settings.world.colliders.push_back(bullet);
}

TEST(SemiExplicit, NothingIsLostWhenAStepFails) {
  // Steps fail and are halved, no NaN is ever kept.
  Settings settings = make_torus_settings(0.04);
  add_bullet(settings);
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

TEST(SemiExplicit, AfterFailedTriesTheStateIsStillTheLastGoodOne) {
  Settings settings = make_torus_settings(0.04);
  add_bullet(settings);
  settings.step.min_step = 2e-4;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StepWorkspace ws;
  EXPECT_THROW(advance(model, 1e-3, state, ws), engine::StepFailure);
  EXPECT_GT(state.halvings, 0U);
  for (const Vec3d& x : state.positions) EXPECT_TRUE(is_finite(x));
  refresh_forces(model, state, ws);
  for (const Mat3d& F : ws.force.F) EXPECT_LT(inner(F, F), 30);
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
