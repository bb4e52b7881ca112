#include "sinew/tet/steering.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/tet/tet_engine.h"

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

Settings make_steered_box(Integrator integrator) {
  Settings settings = make_box_settings({0.1, 0.06, 0.06}, 0.03,
                                        material::NeoHookean{material::compute_lame(2e4, 0.3)});
  settings.step.integrator = integrator;
  return settings;
}

Settings make_steered_muscle() {
  Settings settings = make_isometric_settings("muscle", 0.015, 1);
  settings.bodies[0].regions[0].excitation.reset();
  return settings;
}

std::size_t find(const TetEngine& engine, const std::string& name) {
  const auto controls = engine.controls();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (controls[i].name == name) return i;
  }
  ADD_FAILURE() << "no control " << name;
  return 0;
}

double measure(TetEngine& engine, const std::string& name) {
  for (const engine::Measure& m : engine.observe().certificate) {
    if (m.name == name) return m.value;
  }
  ADD_FAILURE() << "no measure " << name;
  return 0;
}

TEST(Steering, ControlsAreNamedAndAnswerWithWhatWasSet) {
  TetEngine engine(make_steered_muscle());
  std::vector<std::string> names;
  for (const auto& control : engine.controls()) {
    names.push_back(control.name);
    EXPECT_LT(control.low, control.high);
    EXPECT_GE(control.value, control.low);
    EXPECT_LE(control.value, control.high);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"activation.box.all", "gravity", "stiffness.box",
                                             "pull_strength"}));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = 0.5 * (engine.controls()[i].low + engine.controls()[i].high);
    engine.set_control(i, value);
    EXPECT_NEAR(engine.controls()[i].value, value, 1e-12 * std::abs(value)) << names[i];
  }
}

TEST(Steering, AnActivatedMusclePullsAtItsEndsAndALetGoOneDoesNot) {
  TetEngine engine(make_steered_muscle());
  engine.advance(0.1);
  const double slack = std::abs(measure(engine, "force_x.box.origin"));
  engine.set_control(find(engine, "activation.box.all"), 0.5);
  engine.advance(0.2);
  EXPECT_EQ(measure(engine, "activation.box.all"), 0.5);
  const double half = std::abs(measure(engine, "force_x.box.origin"));
  EXPECT_GT(half, 10 * slack + 1);
  engine.set_control(find(engine, "activation.box.all"), 1);
  engine.advance(0.3);
  EXPECT_GT(std::abs(measure(engine, "force_x.box.origin")), 1.5 * half);
  engine.release_controls();
  engine.advance(0.4);
  EXPECT_LT(std::abs(measure(engine, "force_x.box.origin")), 0.05 * half);
}

TEST(Steering, GravityTurnsAFallAround) {
  for (const Integrator integrator : {Integrator::kSemiExplicit, Integrator::kBackwardEuler}) {
    Settings settings = make_steered_box(integrator);
    settings.world.gravity = {0, 0, -10};
    TetEngine engine(settings);
    EXPECT_NEAR(engine.controls()[find(engine, "gravity")].value, 10, 1e-12);
    engine.set_control(find(engine, "gravity"), -5);  // along the scene's gravity, so upwards
    engine.advance(0.1);
    for (const Vec3d& v : engine.state().velocities) {
      // As far as a solve for an animation goes: a hundredth of a step's displacement.
      EXPECT_NEAR(v.z, 0.5, 1e-3);
      EXPECT_NEAR(v.x, 0, 1e-3);
    }
  }
}

TEST(Steering, StiffnessIsAFactorOnTheModuli) {
  Settings settings = make_isometric_settings("muscle", 0.015, 1);
  settings.bodies[0].regions.clear();
  settings.bodies[0].attachments.pop_back();
  engine::RigidMotion stretch;
  stretch.travel = {0.004, 0, 0};
  stretch.shift = engine::KeyFrames{{0, 0.5}, {0, 1}};
  hold("insertion", 0.0399, 1, stretch, settings);
  settings.step.accuracy = Accuracy::kEngineering;
  TetEngine engine(settings);
  engine.advance(0.5);
  const double before = measure(engine, "force_x.box.origin");
  EXPECT_GT(std::abs(before), 0.01);
  engine.set_control(find(engine, "stiffness.box"), 3);
  engine.advance(1.0);
  // Without other forces the shape stays and the force is three times as large, as far as the
  // solves went: a millionth.
  EXPECT_NEAR(measure(engine, "force_x.box.origin"), 3 * before, 1e-4 * std::abs(before));
}

TEST(Steering, WhatIsNotAllowedIsRefusedAndChangesNothing) {
  TetEngine engine(make_steered_muscle());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(engine.set_control(0, 1.01), std::invalid_argument);
  EXPECT_THROW(engine.set_control(0, -0.01), std::invalid_argument);
  EXPECT_THROW(engine.set_control(0, nan), std::invalid_argument);
  EXPECT_THROW(engine.set_control(99, 0), std::invalid_argument);
  const std::vector<engine::Pull> bad[] = {{{0, 1000000, {0, 0, 0}}},
                                           {{1, 0, {0, 0, 0}}},
                                           {{0, 0, {nan, 0, 0}}},
                                           {{0, 0, {0, 0, 0}}, {5, 0, {0, 0, 0}}}};
  for (const auto& pulls : bad) EXPECT_THROW(engine.set_pulls(pulls), std::invalid_argument);
  EXPECT_TRUE(engine.model().grips.empty());
  EXPECT_EQ(engine.controls()[0].value, 0);
}

Vec3d vertex_of(TetEngine& engine, std::size_t vertex) {
  const Vec3f x = engine.observe().bodies[0].surface[vertex];
  return {x.x, x.y, x.z};
}

TEST(Grip, WeightsAreAPartitionAndAGripAtRestPullsNothing) {
  const Model model = make_model(make_steered_box(Integrator::kSemiExplicit));
  const Grip grip = make_grip(model, model.rest_positions, 3, 1);
  double sum = 0;
  Vec3d mean{};
  for (const auto& [node, weight] : grip.weights) {
    sum += weight;
    mean += model.rest_positions[node] * weight;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT(norm(mean - grip.target), 1e-12);
  EXPECT_GT(grip.weights.size(), 4u);  // more than the gripped vertex' own tetrahedron
  EXPECT_GT(grip.stiffness, 0);
  EXPECT_GT(grip.inverse_mass, 0);
}

// The gradient is the derivative of the energy, the tangent that of the gradient.
TEST(Grip, GradientAndTangentAreDerivatives) {
  Model model = make_model(make_steered_box(Integrator::kBackwardEuler));
  model.grips.push_back(make_grip(model, model.rest_positions, 0, 1));
  model.grips.push_back(make_grip(model, model.rest_positions, 7, 1));
  model.grips[0].target += Vec3d{0.02, 0.01, -0.03};
  const std::size_t n = model.rest_positions.size();
  const double rate = 48;
  Field3d x(n), direction(n), gradient(n), after(n);
  Field3f direction_float(n), image(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    x.set(i, model.rest_positions[i] + 0.01 * Vec3d{std::sin(t), std::cos(t), std::sin(2 * t)});
    direction.set(i, {std::cos(3 * t), std::sin(t + 1), std::cos(t)});
    const Vec3d d = direction[i];
    direction_float.set(
        i, {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
  }
  add_grip_gradient(model, x, model.rest_positions, rate, gradient);
  add_grip_tangent(model, x, direction_float, rate, image);
  const double h = 1e-4;
  const auto moved = [&](double s) {
    Field3d y(n);
    for (std::size_t i = 0; i < n; ++i) y.set(i, x[i] + direction[i] * s);
    return y;
  };
  Field3d before(n);
  const double rise = add_grip_gradient(model, moved(h), model.rest_positions, rate, after) -
                      add_grip_gradient(model, moved(-h), model.rest_positions, rate, before);
  double slope = 0;
  for (std::size_t i = 0; i < n; ++i) {
    slope += dot(gradient[i], direction[i]);
    const Vec3d change = (after[i] - before[i]) / (2 * h);
    const Vec3f t = image[i];
    // The tangent is in float.
    EXPECT_LT(norm(change - Vec3d{t.x, t.y, t.z}), 1e-5 * (1 + norm(change))) << i;
  }
  EXPECT_NE(slope, 0);
  // Quadratic: the difference is exact but for rounding.
  EXPECT_NEAR(rise / (2 * h), slope, 1e-8 * std::abs(slope));
}

// A free body is carried until the gripped point is where the hand is, by either kind of step.
TEST(Grip, DrawsAFreeBodyToTheHand) {
  for (const Integrator integrator : {Integrator::kSemiExplicit, Integrator::kBackwardEuler}) {
    TetEngine engine(make_steered_box(integrator));
    const Vec3d target = vertex_of(engine, 0) + Vec3d{0.1, 0.05, 0};
    engine.set_pulls(std::vector<engine::Pull>{{0, 0, target}});
    engine.advance(1.5);
    // The patch's mean arrives; the body turns about it, by which its vertex is off by what lies
    // between the two: 2 cm at the box's corner.
    EXPECT_LT(norm(vertex_of(engine, 0) - target), 0.02) << static_cast<int>(integrator);
    EXPECT_EQ(measure(engine, "inverted"), 0);
  }
}

TEST(Grip, MovesAHeldBodyAsFarAsItGivesAndLetsItGoBack) {
  for (const Integrator integrator : {Integrator::kBackwardEuler, Integrator::kTrBdf2}) {
    Settings settings = make_steered_muscle();
    settings.step.integrator = integrator;
    settings.step.step = 0.125;
    TetEngine engine(settings);
    const std::size_t vertex = engine.model().bodies[0].vertices.end / 2;
    const Vec3d rest = vertex_of(engine, vertex);
    const Vec3d target = rest + Vec3d{0, 0.02, 0};
    engine.set_pulls(std::vector<engine::Pull>{{0, vertex, target}});
    engine.advance(1);
    const double drawn = norm(vertex_of(engine, vertex) - rest);
    EXPECT_GT(drawn, 0.002);
    EXPECT_LT(drawn, 0.02);
    // A stronger hand draws farther.
    engine.set_control(find(engine, "pull_strength"), 10);
    engine.advance(2);
    EXPECT_GT(norm(vertex_of(engine, vertex) - rest), 1.3 * drawn);
    engine.set_pulls({});
    engine.advance(4);
    EXPECT_LT(norm(vertex_of(engine, vertex) - rest), 0.01 * drawn);
    EXPECT_GT(measure(engine, "min_volume_ratio"), 0.95);
  }
}

TEST(Grip, AStrongHandFarAwayLeavesEverythingFinite) {
  for (const Integrator integrator : {Integrator::kSemiExplicit, Integrator::kBackwardEuler}) {
    TetEngine engine(make_steered_box(integrator));
    engine.set_control(find(engine, "pull_strength"), 10);
    engine.set_pulls(std::vector<engine::Pull>{{0, 0, {5, 5, 5}}, {0, 9, {-5, 0, 0}}});
    engine.advance(0.02);
    for (const Vec3d& x : engine.state().positions) EXPECT_TRUE(std::isfinite(norm(x)));
  }
}

TEST(Steering, ASteeredStateIsSavedAndGoesOnTheSame) {
  Settings settings = make_steered_box(Integrator::kSemiExplicit);
  TetEngine one(settings), two(settings);
  for (TetEngine* engine : {&one, &two}) {
    engine->set_control(find(*engine, "gravity"), 3);
    engine->set_control(find(*engine, "stiffness.box"), 2);
  }
  one.advance(0.05);
  two.advance(0.05);
  two.load(one.save());
  one.advance(0.1);
  two.advance(0.1);
  EXPECT_EQ(one.observe().state_hash, two.observe().state_hash);
}

}  // namespace
}  // namespace sinew::tet
