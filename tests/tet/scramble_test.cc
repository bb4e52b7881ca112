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

// An energy has traps, and long steps fall into them: what does not come nearer must end.
TEST(Scramble, ASolveThatDoesNotComeNearerEnds) {
  Settings settings = make_isometric_settings("teran2005", 0.01, 1);
  settings.bodies[0].scramble = 1;
  settings.bodies[0].material.damping = {5, 2e-3};
  settings.step.accuracy = Accuracy::kEngineering;
  settings.step.step = 0.3;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  StageSolver solver(model);
  StepStatistics statistics;
  advance_implicit(model, 0.3, state, solver, statistics);
  EXPECT_EQ(state.time, 0.3);
  EXPECT_GT(statistics.unconverged, 0u);
  // Five lengths of a step, and the rest at once; it was cut into sixteen.
  EXPECT_LE(statistics.solves, 7u);
  // Half of what Newton's method may do where it comes nearer: it made all thirty.
  EXPECT_LE(statistics.newton_iterations, 15 * statistics.solves);
}

}  // namespace
}  // namespace sinew::tet
