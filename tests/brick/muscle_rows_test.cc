#include <cmath>

#include <gtest/gtest.h>

#include "sinew/brick/brick_engine.h"
#include "sinew/brick/step.h"

#include "brick/beam_fixture.h"

namespace sinew::brick {
namespace {

constexpr double kSpeed = 0.5;  // m/s

// A block so heavy that no tendon slows it, drawn away from where its tendon ends by `block`
// (m/s), while that place goes the other way by `anchor`.
Settings make_drawn(Strain strain, double step, double block, double anchor) {
  BodySettings body;
  body.name = "block";
  body.mesh = make_box_mesh({0, -1, -1}, {2, 1, 1}, {1, 1, 1});
  material::Material m;
  m.law = material::NeoHookean{material::compute_lame(435.11, 0.3)};
  m.density = 1e9;
  body.materials = {m};
  TendonSettings tendon;
  tendon.name = "tendon";
  for (std::uint32_t n = 0; n < body.mesh.rest_positions.size(); ++n) {
    if (body.mesh.rest_positions[n].x == 0) tendon.nodes.push_back(n);
  }
  tendon.to = {-1, 0, 0};
  tendon.parallel = true;
  tendon.max_force = 10;
  tendon.damping = 0.05;
  tendon.motion.travel = {-anchor, 0, 0};
  tendon.motion.shift = engine::KeyFrames{{0, 1}, {0, 1}};
  body.tendons.push_back(tendon);
  body.velocity = {block, 0, 0};
  Settings settings;
  settings.bodies.push_back(std::move(body));
  settings.world.gravity = {0, 0, 0};
  settings.strain = strain;
  settings.step = step;
  return settings;
}

// The force of a tendon that grows steadily is the spring's at its length and the damper's D v, in
// steps of any length: which end moves is the same.
TEST(MuscleRows, ATendonDampsASteadySpeedAlikeInAllSteps) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    for (const double step : {1e-3, 4e-3}) {
      for (const double block : {kSpeed, 0.0, 0.2}) {
        BrickEngine engine(make_drawn(strain, step, block, kSpeed - block));
        engine.advance(0.2);
        const BodyModel& body = engine.model().bodies[0];
        double expected = 0;
        for (const String& s : body.strings[0]) {
          // Modes answer to the force half a step beyond the end.
          const double ahead = strain == Strain::kSmall ? 0.5 * step : 0;
          const double length = s.slack_length + kSpeed * (0.2 + ahead);
          const FiberValue f = compute_string(
              s, body.tendons[0], material::LineShape{material::LineLaw::kHill}, length);
          EXPECT_GT(f.damping * kSpeed, 0.1 * f.tension);
          expected += f.tension + f.damping * kSpeed;
        }
        // The block yields to a millionth.
        EXPECT_NEAR(engine.state().tensions[0][0] / expected, 1, 1e-5)
            << static_cast<int>(strain) << " " << step << " " << block;
      }
    }
  }
}

// A block that is carried along with the place where its tendon ends feels nothing of it.
TEST(MuscleRows, ATendonThatIsCarriedAlongStaysSlack) {
  for (const Strain strain : {Strain::kSmall, Strain::kLarge}) {
    BrickEngine engine(make_drawn(strain, 4e-3, kSpeed, -kSpeed));
    engine.advance(0.2);
    EXPECT_NEAR(engine.state().tensions[0][0], 0, 1e-6) << static_cast<int>(strain);
  }
}

}  // namespace
}  // namespace sinew::brick
