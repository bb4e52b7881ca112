// Activation by shape on the tet engine: forces, their derivatives, and bodies that take the shape.
#include "sinew/tet/active_rest.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/tet/forces.h"
#include "sinew/tet/kernel.h"

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

const mesh::Bounds kBox{{-0.06, -0.03, -0.03}, {0.06, 0.03, 0.03}};

// Bends and shortens, with a volume that changes from place to place.
Vec3d bend(const Vec3d& X) {
  return {0.8 * X.x, 1.1 * X.y + 3 * X.x * X.x, 1.1 * X.z + 0.1 * X.y};
}

Settings make_settings(const material::Law& law, bool averaged) {
  Settings settings = make_box_settings({0.1, 0.04, 0.04}, 0.02, law);
  BodySettings& body = settings.bodies[0];
  body.material.average_dilatation = averaged;
  body.fibers = [](const Vec3d& x) { return normalized(Vec3d{1, 3 * x.x, 0}); };
  body.regions.push_back({"all", {}, engine::KeyFrames{{0, 0.1}, {0, 1}}, {}});
  body.active_shape =
      std::make_shared<const anatomy::ActiveMap>(anatomy::make_active_map(bend, kBox, 0.02));
  return settings;
}

material::Law make_muscle() {
  material::Muscle law;
  law.matrix = {30e3, 10e3, 8e5};
  law.fibers.max_stress = 80e3;
  law.fibers.passive_stress = 4e3;
  law.fibers.active = material::make_active_curve();
  law.fibers.passive = material::make_toe_curve(0.3, 3);
  return law;
}

KernelInput make_active_input(const Model& model, double alpha) {
  return make_input(model, 0, std::vector<double>(model.regions.size(), alpha),
                    Continuation::kEnergy);
}

std::vector<Vec3d> deform(const Model& model) {
  std::vector<Vec3d> x = model.rest_positions;
  for (Vec3d& p : x) {
    p = {1.1 * p.x + 0.2 * p.y, 0.95 * p.y + 2 * p.x * p.z, 0.97 * p.z - 0.1 * p.x};
  }
  return x;
}

Field3d to_field(const std::vector<Vec3d>& values) {
  Field3d field(values.size());
  for (std::size_t n = 0; n < values.size(); ++n) field.set(n, values[n]);
  return field;
}

double largest(const Field3d& field) {
  double most = 0;
  for (const double v : field.values()) most = std::max(most, std::abs(v));
  return most;
}

class ActiveRestLaws : public testing::TestWithParam<int> {
 protected:
  static Settings settings() {
    switch (GetParam()) {
      case 0:
        return make_settings(material::NeoHookean{material::compute_lame(5e4, 0.3)}, false);
      case 1:
        return make_settings(material::Corotated{material::compute_lame(5e4, 0.3)}, false);
      default:
        return make_settings(make_muscle(), true);
    }
  }
};

TEST_P(ActiveRestLaws, ForcesAreMinusTheGradientOfTheEnergyAtAnyActivation) {
  const Model model = make_model(settings());
  const KernelInput input = make_active_input(model, 0.6);
  Kernel<double> kernel(model);
  const Field3d x = to_field(deform(model));
  Field3d forces, unused, ahead = x, behind = x;
  kernel.compute_forces_and_energy(input, x, forces);
  const double step = 1e-7;
  double work = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    const Vec3d d{std::sin(19 * x[n].y), std::cos(17 * x[n].z), 5 * x[n].x};
    work += dot(forces[n], d);
    ahead.set(n, x[n] + d * step), behind.set(n, x[n] - d * step);
  }
  const double change = kernel.compute_forces_and_energy(input, ahead, unused) -
                        kernel.compute_forces_and_energy(input, behind, unused);
  EXPECT_GT(std::abs(work), 1e-3);
  EXPECT_NEAR(-change / (2 * step), work, 2e-5 * std::abs(work));
}

TEST_P(ActiveRestLaws, KernelsAgreeWithTheReferenceWhileActivationChanges) {
  const Model model = make_model(settings());
  Kernel<double> kernel(model);
  ForceWorkspace workspace;
  const std::vector<Vec3d> x = deform(model);
  std::vector<Vec3d> before(x.size());
  for (const double alpha : {0.0, 1.0, 0.35}) {
    const KernelInput input = make_active_input(model, alpha);
    std::vector<Vec3d> expected;
    Field3d forces;
    compute_elastic_forces(model, input, x, workspace, expected);
    kernel.compute_forces(input, to_field(x), forces);
    double worst = 0, changed = 0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      worst = std::max(worst, norm(forces[n] - expected[n]));
      changed = std::max(changed, norm(expected[n] - before[n]));
    }
    EXPECT_LT(worst, 1e-11 * largest(forces));  // rounding
    EXPECT_GT(changed, 1e-2 * largest(forces));
    before = expected;
  }
}

TEST_P(ActiveRestLaws, TangentIsTheDerivativeOfTheForces) {
  const Model model = make_model(settings());
  const KernelInput input = make_active_input(model, 0.6);
  Kernel<double> kernel(model);
  const Field3d x = to_field(deform(model));
  Field3d direction(x.size()), product, ahead, behind, moved(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double s = static_cast<double>(n);
    direction.set(n, {std::sin(3 * s), std::cos(5 * s), std::sin(7 * s + 1)});
  }
  const double step = 1e-8;
  kernel.apply_tangent(input, x, direction, false, product);
  for (std::size_t n = 0; n < x.size(); ++n) moved.set(n, x[n] + direction[n] * step);
  kernel.compute_forces(input, moved, ahead);
  for (std::size_t n = 0; n < x.size(); ++n) moved.set(n, x[n] - direction[n] * step);
  kernel.compute_forces(input, moved, behind);
  double worst = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    worst = std::max(worst, norm(product[n] - (behind[n] - ahead[n]) / (2 * step)));
  }
  EXPECT_LT(worst, 1e-5 * largest(product));  // kinks of curves, rounding 1e-16 / step
}

INSTANTIATE_TEST_SUITE_P(All, ActiveRestLaws, testing::Range(0, 3));

TEST(ActiveRest, IsFreeOfForceWhereEveryPointIsAtItsActivePlace) {
  Settings settings = make_settings(make_muscle(), true);
  settings.bodies[0].fibers = {};
  settings.bodies[0].active_shape = std::make_shared<const anatomy::ActiveMap>(
      anatomy::make_uniform_active_map({0, 0, 0}, {1, 0, 0}, 0.7, kBox));
  const Model model = make_model(settings);
  ForceWorkspace workspace;
  std::vector<Vec3d> active, passive_forces, active_forces;
  for (const Vec3d& X : model.rest_positions) {
    active.push_back(anatomy::evaluate(*settings.bodies[0].active_shape, X).place);
  }
  const KernelInput input = make_active_input(model, 1);
  compute_elastic_forces(model, input, model.rest_positions, workspace, passive_forces);
  compute_elastic_forces(model, input, active, workspace, active_forces);
  double passive = 0, remaining = 0;
  for (std::size_t n = 0; n < active.size(); ++n) {
    passive = std::max(passive, norm(passive_forces[n]));
    remaining = std::max(remaining, norm(active_forces[n]));
  }
  EXPECT_GT(passive, 0.1);
  EXPECT_LT(remaining, 1e-10 * passive);
}

// Largest change of a distance between two nodes: what no shift or turn changes.
double shape_distance(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      most = std::max(most, std::abs(norm(a[i] - a[j]) - norm(b[i] - b[j])));
    }
  }
  return most;
}

TEST(ActiveRest, AFreeBodyAtFullActivationTakesTheActiveShape) {
  for (const auto integrator : {Integrator::kBackwardEuler, Integrator::kSemiExplicit}) {
    Settings settings = make_settings(material::NeoHookean{material::compute_lame(5e4, 0.4)}, true);
    BodySettings& body = settings.bodies[0];
    body.active_shape = std::make_shared<const anatomy::ActiveMap>(
        anatomy::make_uniform_active_map({0, 0, 0}, {1, 0, 0}, 0.7, kBox));
    body.material.damping.stiffness_time = 0.02;
    settings.step.integrator = integrator;
    settings.step.accuracy = Accuracy::kEngineering;
    settings.step.step = 0.02;
    TetEngine engine(make_model(settings), settings);
    engine.advance(0.5);
    std::vector<Vec3d> active;
    for (const Vec3d& X : engine.model().rest_positions) {
      active.push_back(anatomy::evaluate(*body.active_shape, X).place);
    }
    // The damped motion has died out: exp(-t / tau) with tau near 0.02 s.
    EXPECT_LT(shape_distance(engine.state().positions, active), 1e-5);
    EXPECT_GT(shape_distance(engine.model().rest_positions, active), 0.01);
  }
}

TEST(ActiveRest, HeldEndsFeelThePull) {
  Settings settings = make_settings(material::NeoHookean{material::compute_lame(5e4, 0.4)}, true);
  settings.bodies[0].active_shape = std::make_shared<const anatomy::ActiveMap>(
      anatomy::make_uniform_active_map({0, 0, 0}, {1, 0, 0}, 0.7, kBox));
  hold("origin", -1, -0.0499, {}, settings);
  hold("insertion", 0.0499, 1, {}, settings);
  settings.step.integrator = Integrator::kQuasiStatic;
  settings.step.step = 0.1;
  const Solved relaxed = solve(settings, 0.001), active = solve(settings, 0.1);
  EXPECT_LT(std::abs(relaxed.observation.reactions[0].x), 1);
  // Stretched by 1/0.7 from rest: a third of Young's modulus times (l^2 - 1/l), 22 kPa on 16 cm^2,
  // and more at the held faces, which cannot thin.
  EXPECT_GT(active.observation.reactions[0].x, 30);
  EXPECT_LT(active.observation.reactions[0].x, 60);
  EXPECT_NEAR(active.observation.reactions[0].x, -active.observation.reactions[1].x, 0.5);
}

}  // namespace
}  // namespace sinew::tet
