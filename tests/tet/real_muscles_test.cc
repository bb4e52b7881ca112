// Real muscles of the shared data (BodyParts3D), ends held, activated fully in one implicit
// step: iterations that the solver needs, and nothing inverted. Skipped without data.
#include <filesystem>

#include <gtest/gtest.h>

#include "sinew/mesh/surface_distance.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/finite_volume.h"

#include "muscle_fixtures.h"
#include "shared_data.h"

namespace sinew::tet {
namespace {

std::filesystem::path find_data() {
  return find_shared_data() / "bodyparts3d/right_arm/muscles";
}

struct Muscle {
  const char* name;
  int limit;  // iterations to a relative error of positions of 1e-2
};

struct Activated {
  int rough_iterations =
      0;               // to sqrt(g . H g) at 1e-2 of its first value, the solver's own measure
  int iterations = 0;  // to a relative error of positions of 1e-2
  double error = 1;
  int inverted = 0;
};

// Along its longest axis a muscle is held over a tenth of its length at each end; fibres run along.
Settings make_settings(const std::string& name) {
  mesh::Surface surface = mesh::read_surface((find_data() / (name + ".stl")).string(), 1e-3);
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  const Vec3d size = box.high - box.low;
  std::size_t axis = 0;
  for (std::size_t d = 1; d < 3; ++d) axis = size[d] > size[axis] ? d : axis;
  Vec3d along{};
  along[axis] = 1;
  Settings settings;
  BodySettings body;
  body.name = "muscle";
  body.shape.form = mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(surface))};
  body.resolution = 0.004;
  body.material = material::make_preset("teran2005");
  body.fibers = [along](const Vec3d&) { return along; };
  body.regions.push_back({"all", {}, engine::KeyFrames{{0, 1.0 / 24}, {0, 1}}, {}});
  for (const bool high : {false, true}) {
    Vec3d middle = (box.low + box.high) * 0.5, extent{1, 1, 1};
    middle[axis] = high ? box.high[axis] : box.low[axis];
    extent[axis] = 0.2 * size[axis];
    body.attachments.push_back({high ? "high" : "low", {mesh::Box{middle, extent}}, {}});
  }
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

// One backward Euler step of 1/24 s as a stage, so that its tolerance can be chosen.
Stage make_stage(const Model& model, const State& state) {
  std::vector<double> activations = state.activations;
  advance_activations(model, 0, 1.0 / 24, activations);
  return make_backward_euler_stage(model, state, 1.0 / 24, activations);
}

double relative_error(const std::vector<Vec3d>& start, const std::vector<Vec3d>& exact,
                      const std::vector<Vec3d>& found) {
  double error = 0, size = 0;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    error += dot(found[n] - exact[n], found[n] - exact[n]);
    size += dot(exact[n] - start[n], exact[n] - start[n]);
  }
  return std::sqrt(error / size);
}

// Iterations until positions are within 1e-2 of the exact ones, and elements inverted then.
Activated activate(const std::string& name) {
  const Settings settings = make_settings(name);
  const Model model = make_model(settings);
  const State state = make_state(model, settings);
  const Stage stage = make_stage(model, state);
  StageSolver solver(model);
  std::vector<Vec3d> exact = state.positions;
  const solver::MinimizeReport tight =
      solver.solve(stage, make_stage_settings(Accuracy::kEngineering), state.positions, exact);
  EXPECT_TRUE(tight.converged) << tight.reason;
  Activated solved;
  StageSettings rough = make_stage_settings(Accuracy::kAnimation);
  for (rough.minimize.tolerance = 1e-2; solved.error > 1e-2; rough.minimize.tolerance *= 0.7) {
    std::vector<Vec3d> positions = state.positions;
    const solver::MinimizeReport report = solver.solve(stage, rough, state.positions, positions);
    solved.iterations = report.iterations;
    if (solved.rough_iterations == 0) solved.rough_iterations = report.iterations;
    solved.error = relative_error(state.positions, exact, positions);
    if (!report.converged) break;
    for (const auto& tet : model.tets) {
      const Mat3d Ds =
          compute_edges(positions[tet[0]], positions[tet[1]], positions[tet[2]], positions[tet[3]]);
      solved.inverted += determinant(Ds) <= 0 ? 1 : 0;
    }
  }
  return solved;
}

class RealMuscle : public testing::TestWithParam<Muscle> {};

TEST_P(RealMuscle, NeedsAtMostTwentyIterationsAndInvertsNothing) {
  if (!std::filesystem::exists(find_data())) GTEST_SKIP() << "skipped: no data";
  const Activated solved = activate(GetParam().name);
  std::printf("%s: %d iterations, %d to an error of %.2g\n", GetParam().name,
              solved.rough_iterations, solved.iterations, solved.error);
  EXPECT_LE(solved.rough_iterations, 20);
  EXPECT_LE(solved.error, 1e-2);
  EXPECT_LE(solved.iterations, GetParam().limit);
  EXPECT_EQ(solved.inverted, 0);
}

// The long head's tendon, a thread that hooks over the humerus, is what makes it harder.
INSTANTIATE_TEST_SUITE_P(BodyParts3D, RealMuscle,
                         testing::Values(Muscle{"biceps_brachii_short_head", 20},
                                         Muscle{"biceps_brachii_long_head", 45},
                                         Muscle{"trapezius_transverse_part", 20},
                                         Muscle{"flexor_carpi_radialis", 20}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace sinew::tet
