#include "sinew/tet/drive.h"

#include <gtest/gtest.h>

#include "muscle_fixtures.h"

namespace sinew::tet {
namespace {

TEST(Drive, ActivationFollowsExcitationByItsDynamics) {
  Settings settings = make_isometric_settings("muscle", 0.015, 0.1);
  settings.bodies[0].regions[0].excitation = engine::KeyFrames{{0, 1e-6}, {0, 1}};
  settings.bodies[0].regions[0].dynamics = material::ActivationDynamics{0.01, 0.04};
  const Model model = make_model(settings);
  std::vector<double> activations(model.regions.size());
  set_activations(model, 0, activations);
  EXPECT_EQ(activations[1], 0);
  advance_activations(model, 0.001, 0.01, activations);
  EXPECT_NEAR(activations[1], 1 - std::exp(-1), 1e-12);  // one rise time
  EXPECT_EQ(activations[0], 0);                          // what is in no region
}

TEST(Drive, ShorteningFibersLoseForceWhereARegionAsksForIt) {
  Settings settings = make_isometric_settings("muscle", 0.015, 1);
  const Model plain = make_model(settings);
  settings.bodies[0].regions[0].max_fiber_rate = 10;
  const Model model = make_model(settings);
  State state = make_state(model, settings);
  state.activations[1] = 0.5;
  // All of it shortens by two lengths a second.
  for (std::size_t n = 0; n < state.positions.size(); ++n) {
    state.velocities[n] = {-2 * state.positions[n].x, 0, 0};
  }
  const auto activation_in = [&](const Model& m) {
    return make_moving_input(m, state, 0, state.activations, Continuation::kEnergy).activations[1];
  };
  EXPECT_EQ(activation_in(plain), 0.5);
  EXPECT_NEAR(activation_in(model), 0.5 * material::compute_force_velocity(-2, 10), 1e-9);
  EXPECT_LT(activation_in(model), 0.4);
}

TEST(Drive, FasciaStiffensOnlyElementsThatTheSurfaceCuts) {
  Settings settings = make_isometric_settings("muscle", 0.01, 1);
  settings.bodies[0].shape.form = mesh::Sphere{{0, 0, 0}, 0.041};
  std::get<material::Muscle>(settings.bodies[0].material.law).surface_stiffness = 1e5;
  const Model model = make_model(settings);
  std::size_t wrapped = 0;
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    const auto& law = std::get<material::Muscle>(model.tissues[model.tissue[t]].law);
    EXPECT_EQ(law.surface_stiffness > 0, model.fill[t] < 1);
    wrapped += model.fill[t] < 1 ? 1 : 0;
  }
  EXPECT_GT(wrapped, 0u);
  EXPECT_LT(wrapped, model.tets.size());
}

}  // namespace
}  // namespace sinew::tet
