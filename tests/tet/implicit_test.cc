#include "sinew/tet/implicit.h"

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

// The state after `time` in steps of at most `step`.
State run(Settings settings, double step, double time, StepStatistics* statistics = nullptr) {
  settings.step.step = step;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StageSolver solver(model);
  StepStatistics own;
  advance_implicit(model, time, state, solver, statistics ? *statistics : own);
  return state;
}

double distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t n = 0; n < a.size(); ++n) sum += dot(a[n] - b[n], a[n] - b[n]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

TEST(TrBdf2, ConvergesAtSecondOrder) {
  const Settings settings = make_swing_settings(0.05);
  const State fine = run(settings, 0.3 / 192, 0.3);
  const double coarse_error = distance(run(settings, 0.3 / 24, 0.3).positions, fine.positions);
  const double error = distance(run(settings, 0.3 / 48, 0.3).positions, fine.positions);
  // Against a solution of a 16th of the error, second order shows as 2 + log2(15/16 / (1 - 1/4)).
  const double order = std::log2(coarse_error / error);
  EXPECT_GT(order, 1.8);
  EXPECT_LT(order, 2.6);
}

TEST(BackwardEuler, ConvergesAtFirstOrder) {
  Settings settings = make_swing_settings(0.05);
  settings.step.integrator = Integrator::kBackwardEuler;
  const State fine = run(settings, 0.3 / 768, 0.3);
  const double coarse_error = distance(run(settings, 0.3 / 48, 0.3).positions, fine.positions);
  const double error = distance(run(settings, 0.3 / 96, 0.3).positions, fine.positions);
  const double order = std::log2(coarse_error / error);
  EXPECT_GT(order, 0.8);
  EXPECT_LT(order, 1.4);
}

// Swing of the bar's middle about its line of rest, after the turn has stopped.
double measure_swing(const Settings& settings, double step) {
  Settings used = settings;
  used.step.step = step;
  const Model model = make_model(used);
  State state = make_state(model, used);
  StageSolver solver(model);
  StepStatistics statistics;
  double low = 1, high = -1;
  for (int i = 1; i <= 60; ++i) {
    advance_implicit(model, i / 48.0, state, solver, statistics);
    if (i / 48.0 < 0.35) continue;
    const double x = center_of_mass(model, state).x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return high - low;
}

TEST(TrBdf2, KeepsTheOscillationAfterASwing) {
  const Settings settings = make_swing_settings(0.05);
  const double exact = measure_swing(settings, 1.0 / 768);
  EXPECT_GT(exact, 0.01);  // there is something to keep, m
  EXPECT_GT(measure_swing(settings, 1.0 / 48), 0.8 * exact);
}

TEST(Implicit, AFreeBodyKeepsItsMomentum) {
  Settings settings = make_torus_settings(0.03);
  settings.bodies[0].velocity = {0.3, -0.2, 0.1};
  settings.step.integrator = Integrator::kTrBdf2;
  settings.step.accuracy = Accuracy::kEngineering;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  state.velocities[3] += Vec3d{1, 2, 3};  // something to swing
  const Vec3d before = linear_momentum(model, state);
  StageSolver solver(model);
  StepStatistics statistics;
  advance_implicit(model, 0.1, state, solver, statistics);
  // The solve stops at 1e-6 of its first size.
  EXPECT_LT(norm(linear_momentum(model, state) - before), 1e-6 * norm(before));
  EXPECT_EQ(statistics.unconverged, 0u);
}

TEST(Implicit, HeldNodesAreWhereTheyAreTold) {
  const Settings settings = make_swing_settings(0.05);
  const Model model = make_model(settings);
  const State state = run(settings, 1.0 / 48, 0.25);
  const engine::RigidPose pose = engine::evaluate(model.attachments[0].motion, 0.25);
  ASSERT_GT(model.attachments[0].nodes.size(), 3u);
  for (const std::uint32_t n : model.attachments[0].nodes) {
    const Vec3d wanted = pose.rotation * model.rest_positions[n] + pose.translation;
    EXPECT_EQ(state.positions[n], wanted);
  }
}

TEST(QuasiStatic, IsWhereDampedMotionEnds) {
  Settings settings = make_isometric_settings("teran2005", 0.01, 0.05);
  settings.step.accuracy = Accuracy::kEngineering;
  const State still = run(settings, 0.05, 0.05);
  settings.step.integrator = Integrator::kBackwardEuler;
  // Three seconds of a heavily damped integrator: nothing moves any more.
  const State moved = run(settings, 0.1, 3);
  const double size = distance(still.positions, make_model(settings).rest_positions);
  EXPECT_GT(size, 1e-4);
  EXPECT_LT(distance(still.positions, moved.positions), 1e-4 * size);
}

TEST(QuasiStatic, BothAttachmentsPullWithTheSameForce) {
  Settings settings = make_isometric_settings("muscle", 0.01, 0.05);
  settings.step.accuracy = Accuracy::kEngineering;
  const Observation observation = solve(settings, 0.05).observation;
  const Vec3d pull = observation.reactions[0];
  EXPECT_GT(pull.x, 200);  // 300 kPa on 9 cm^2, less what the passive matrix pushes
  EXPECT_LT(pull.x, 300);
  EXPECT_LT(norm(pull + observation.reactions[1]), 1e-4 * pull.x);
}

// A guess near the solution saves iterations, a bad one changes no bit.
TEST(QuasiStatic, BeginsAtTheBetterOfTwoGuesses) {
  const Settings settings = make_isometric_settings("muscle", 0.01, 0.05);
  const Model model = make_model(settings);
  const State state = make_state(model, settings);
  const std::vector<double> activations(state.activations.size(), 1.0);
  Stage stage = make_backward_euler_stage(model, state, 0.05, activations);
  stage.inertia = stage.velocity_rate = 0;
  StageSolver solver(model);
  const auto solve_with = [&](const std::vector<Vec3d>* other, std::vector<Vec3d>& x) {
    x = state.positions;
    return solver.solve(stage, make_stage_settings(Accuracy::kAnimation), state.positions, x, other)
        .iterations;
  };
  std::vector<Vec3d> solution, again, unmoved;
  const int alone = solve_with(nullptr, solution);
  EXPECT_GT(alone, 3);
  EXPECT_GT(distance(solution, state.positions), 1e-4);
  EXPECT_LE(solve_with(&solution, again), 1);
  std::vector<Vec3d> torn = state.positions;
  for (std::size_t n = 0; n < torn.size(); n += 7) torn[n].y += 0.02;
  EXPECT_EQ(solve_with(&torn, unmoved), alone);
  EXPECT_EQ(unmoved, solution);
}

// A guess so far off that its energy is no number (float overflows) is worse than any other.
TEST(Implicit, BeginsAtTheGuessWhoseEnergyIsANumber) {
  const Settings settings = make_isometric_settings("muscle", 0.01, 0.05);
  const Model model = make_model(settings);
  const State state = make_state(model, settings);
  const Stage stage =
      make_backward_euler_stage(model, state, 0.05, std::vector<double>(state.activations.size()));
  StageSolver solver(model);
  std::vector<Vec3d> x = state.positions;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (model.held[n] == 0) x[n] = x[n] * 1e30;
  }
  const solver::MinimizeReport report = solver.solve(
      stage, make_stage_settings(Accuracy::kAnimation), state.positions, x, &state.positions);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_LT(distance(x, state.positions), 0.02);  // weight alone bends it
}

TEST(Implicit, AnimationIsNearEngineering) {
  Settings settings = make_isometric_settings("muscle", 0.008, 0.05);
  const State rough = run(settings, 0.05, 0.05);
  settings.step.accuracy = Accuracy::kEngineering;
  const State exact = run(settings, 0.05, 0.05);
  const double size = distance(exact.positions, make_model(settings).rest_positions);
  EXPECT_LT(distance(rough.positions, exact.positions), 2e-2 * size);
}

TEST(Implicit, ABallRestsOnTheFloor) {
  Settings settings;
  BodySettings body;
  body.name = "ball";
  body.shape.form = mesh::Sphere{{0, 0.03, 0}, 0.03};
  body.resolution = 0.01;
  body.material.law = material::NeoHookean{material::compute_lame(5e4, 0.3)};
  body.material.damping.mass_rate = 5;
  settings.bodies.push_back(body);
  add_floor(0.5, 0, settings);
  settings.step.integrator = Integrator::kBackwardEuler;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StageSolver solver(model);
  StepStatistics statistics;
  advance_implicit(model, 1, state, solver, statistics);
  EXPECT_EQ(statistics.unconverged, 0u);
  EXPECT_LT(compute_overlap(model, 1, state.positions), 1e-3);
  const Vec3d center = center_of_mass(model, state);
  EXPECT_GT(center.y, 0.026);
  EXPECT_LT(center.y, 0.03);
}

TEST(Implicit, BitsDoNotDependOnThreads) {
  const Settings settings = make_isometric_settings("muscle", 0.008, 0.05);
  std::vector<std::vector<std::byte>> states;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    states.push_back(to_bytes(run(settings, 0.05, 0.05)));
  }
  EXPECT_EQ(states[0], states[1]);
}

TEST(Implicit, ARunThatIsResumedGivesTheSameBits) {
  Settings settings = make_swing_settings(0.05);
  settings.step.accuracy = Accuracy::kAnimation;
  settings.step.step = 1.0 / 48;
  TetEngine straight(settings);
  straight.advance(0.125);
  const std::vector<std::byte> saved = straight.save();
  straight.advance(0.25);
  TetEngine resumed(settings);
  resumed.load(saved);
  resumed.advance(0.25);
  EXPECT_EQ(straight.save(), resumed.save());
}

}  // namespace
}  // namespace sinew::tet
