#include <cmath>

#include <gtest/gtest.h>

#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/eulerian/observe.h"

namespace sinew::eulerian {
namespace {

// A bar of 0.16 x 0.06 x 0.06 m on cells of 2 cm, held at both ends, whose active shape is 0.9
// times as long and of the same volume.
Settings make_active_bar(Integrator integrator) {
  Settings settings;
  GridSettings grid;
  grid.low = {-0.16, -0.1, -0.1};
  grid.spacing = 0.02;
  grid.cells = {16, 10, 10};
  settings.grids.push_back(grid);
  BodySettings body;
  body.name = "bar";
  body.shape = {mesh::Box{{0, 0, 0}, {0.16, 0.06, 0.06}}};
  body.law = {1000, 1e4, 5e3, VolumeMode::kStabilized};
  body.attachments.push_back({"left", {mesh::Box{{-0.08, 0, 0}, {0.05, 0.1, 0.1}}}, {}, {}});
  body.attachments.push_back({"right", {mesh::Box{{0.08, 0, 0}, {0.05, 0.1, 0.1}}}, {}, {}});
  body.active_map = [](const Vec3d& X) {
    return Vec3d{0.9 * X.x, X.y / std::sqrt(0.9), X.z / std::sqrt(0.9)};
  };
  body.activation = engine::KeyFrames{{0, 0.05}, {0, 1}, engine::Interpolation::kSmooth};
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = integrator;
  settings.step.damping = 30;
  return settings;
}

TEST(ActiveShape, PullsAsABarThatIsStretchedByItsInverse) {
  for (const Integrator integrator : {Integrator::kExplicit, Integrator::kImplicit}) {
    EulerianEngine engine(make_active_bar(integrator));
    const BodyFigures start = compute_figures(engine.model(), engine.state(), 0);
    engine.advance(0.14);
    const auto r = engine.advance_with_reactions(0.15);
    // Nothing need move: F~ = (1/0.9, sqrt 0.9, sqrt 0.9) is isochoric, its stress uniaxial.
    const double l = 1 / 0.9, expected = 1e4 * (l * l - 1 / l) * 0.06 * 0.06;
    EXPECT_NEAR(r[0].wrench.force.x, expected, 0.02 * expected);
    EXPECT_NEAR(r[1].wrench.force.x, -r[0].wrench.force.x, 0.005 * expected);
    const BodyFigures end = compute_figures(engine.model(), engine.state(), 0);
    EXPECT_NEAR(end.volume / start.volume, 1, 0.0025);
    EXPECT_LT(norm(end.centroid - start.centroid), 1e-4);
    EXPECT_LT(end.kinetic_energy, 1e-5 * end.elastic_energy);
  }
}

}  // namespace
}  // namespace sinew::eulerian
