#include "sinew/eulerian/step.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "sinew/engine/tissue_engine.h"
#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"

#include "eulerian/fixtures.h"

namespace sinew::eulerian {
namespace {

double measure(const engine::Frame& frame, const std::string& name) {
  for (const auto& m : frame.certificate) {
    if (m.name == name) return m.value;
  }
  ADD_FAILURE() << name;
  return 0;
}

TEST(Steps, CountWhatWasHalvedSinceTheLastFrame) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit);
  settings.bodies[0].velocity = {2, 0, 0};
  settings.step.step = 0.01;  // a cell: more than may be moved at once
  EulerianEngine engine(settings);
  EXPECT_EQ(measure(engine.observe(), "halved_steps"), 0);
  engine.advance(0.01);
  EXPECT_EQ(measure(engine.observe(), "halved_steps"), 1);
  engine.advance(0.011);
  EXPECT_EQ(measure(engine.observe(), "halved_steps"), 0);
}

TEST(Steps, CountWhatDidNotReachItsTolerance) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kExplicit);
  press(120, settings);
  EulerianEngine engine(settings);
  engine.advance(0.002);
  EXPECT_EQ(measure(engine.observe(), "unconverged_steps"), 0);
  settings.step.tolerance = 1e-200;  // its square is zero
  EulerianEngine strict(settings);
  strict.advance(0.002);
  const engine::Frame frame = strict.observe();
  EXPECT_GT(measure(frame, "steps"), 0);
  EXPECT_EQ(measure(frame, "unconverged_steps"), measure(frame, "steps"));
}

// Activation is that at the end of the step that is taken, however long the way to the next frame.
TEST(Steps, DoNotRunAheadOfActivation) {
  std::vector<double> shortened;
  for (const int frames : {1, 80}) {
    Settings settings = make_bar(Integrator::kExplicit);
    settings.step.damping = 0;
    settings.bodies[0].active_map = [](const Vec3d& X) {
      return Vec3d{0.8 * X.x, X.y / std::sqrt(0.8), X.z / std::sqrt(0.8)};
    };
    settings.bodies[0].activation =
        engine::KeyFrames{{0, 0.01}, {0, 1}, engine::Interpolation::kLinear};
    settings.step.step = 0.002;
    settings.step.safety = 0.05;  // steps of 0.1 ms
    EulerianEngine engine(settings);
    for (int i = 1; i <= frames; ++i) engine.advance(0.004 * i / frames);
    double most = 0;
    for (const Vec3d& x : engine.state().bodies[0].surface) most = std::max(most, x.x);
    shortened.push_back(0.08 - most);
  }
  EXPECT_GT(shortened[1], 1e-4);
  // Steps of 0.1 and 0.05 ms; 2 ms ahead it would be twice as much.
  EXPECT_NEAR(shortened[0], shortened[1], 0.1 * shortened[1]);
}

TEST(Steps, AreGivenUpWhereStressAllowsNone) {
  Settings settings = make_cube(16, VolumeMode::kStabilized, Integrator::kExplicit);
  settings.step.step = 0.02;
  settings.step.min_step = 0.01;  // the critical one is 3 ms
  EulerianEngine engine(settings);
  EXPECT_THROW(engine.advance(0.02), engine::StepFailure);
}

TEST(Steps, AreShortEnoughForFields) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    Settings settings = make_cube(16, VolumeMode::kStabilized, integrator);
    settings.world.fields.push_back({"wind", engine::WindField{{0.2, 0, 0}, 2000}, {}});
    EulerianEngine engine(settings);
    engine.advance(0.01);
    EXPECT_EQ(engine.statistics().steps, 20U);
    const Vec3d v = engine.state().bodies[0].velocities[0];
    EXPECT_NEAR(v.x, 0.2, 1e-6);
  }
}

TEST(Steps, OfRoundingAreNone) {
  EulerianEngine engine(make_cube(16, VolumeMode::kStabilized, Integrator::kImplicit));
  engine.advance(1e-12);
  EXPECT_EQ(engine.state().time, 1e-12);
  EXPECT_EQ(engine.state().steps, 0U);
}

}  // namespace
}  // namespace sinew::eulerian
