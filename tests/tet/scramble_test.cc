// Every free node of a muscle is thrown to a random place: the step un-inverts all elements.
#include <gtest/gtest.h>

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

TEST(Scramble, AMuscleFindsItsShapeAgain) {
  Settings settings = make_isometric_settings("teran2005", 0.01, 1);
  settings.bodies[0].regions.clear();
  settings.bodies[0].scramble = 1;
  settings.bodies[0].material.damping = {5, 2e-3};
  settings.step = {};
  TetEngine engine(settings);
  const engine::Certificate before = engine.observe().certificate;
  EXPECT_GT(measure(before, "inverted"), 0.3 * static_cast<double>(engine.model().tets.size()));
  engine.advance(0.5);
  const engine::Certificate after = engine.observe().certificate;
  EXPECT_EQ(measure(after, "inverted"), 0);
  EXPECT_NEAR(measure(after, "volume_ratio.box"), 1, 0.01);
}

}  // namespace
}  // namespace sinew::tet
