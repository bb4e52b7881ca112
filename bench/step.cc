#include "step.h"

#include <set>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/semi_explicit.h"

namespace sinew::bench {
namespace {

tet::Settings make_torus(double resolution) {
  tet::Settings settings;
  tet::BodySettings body;
  body.name = "torus";
  body.shape.form = mesh::Torus{{0, 0.05, 0}, {0, 1, 0}, 0.1, 0.04};
  body.resolution = resolution;
  body.material.law = material::NeoHookean{material::compute_lame(1e5, 0.3)};
  body.material.damping.stiffness_time = 1e-3;
  settings.bodies.push_back(body);
  engine::Collider floor;
  floor.name = "floor";
  floor.shape.form = mesh::HalfSpace{{0, 0, 0}, {0, 1, 0}};
  settings.world.colliders.push_back(floor);
  return settings;
}

void measure(const tet::Model& model, const tet::Settings& settings, int repeats,
             const std::string& label, std::vector<Figure>& figures) {
  const auto tets = static_cast<double>(model.tets.size());
  tet::State state = tet::make_state(model, settings);
  tet::StepWorkspace workspace;
  std::vector<Vec3d> flat = state.positions;
  for (Vec3d& x : flat) x.y *= -0.1;
  const tet::KernelInput input =
      tet::make_input(model, 0, state.activations, tet::Continuation::kStress);
  const auto measure_force = [&](const std::string& name, const std::vector<Vec3d>& positions) {
    const double ms = best_milliseconds(repeats, [&] {
      tet::compute_elastic_forces(model, input, positions, workspace.force, workspace.forces);
    });
    figures.push_back({fmt::format("{}.{}", name, label), tets / ms / 1e3, "Mtets/s"});
  };
  measure_force("force", state.positions);
  measure_force("force_inverted", flat);
  workspace.forces_valid = false;
  // Ten steps of 0.1 ms each: far below the critical step, so that none is cut.
  constexpr int kSteps = 10;
  const double ms = best_milliseconds(repeats, [&] {
    for (int n = 0; n < kSteps; ++n) tet::advance(model, state.time + 1e-4, state, workspace);
  });
  figures.push_back({fmt::format("step.{}", label), ms / kSteps, "ms"});
}

}  // namespace

std::vector<Figure> bench_step(int repeats, int threads) {
  std::vector<Figure> figures;
  for (const double resolution : {0.012, 0.0076}) {
    const tet::Settings settings = make_torus(resolution);
    const tet::Model model = tet::make_model(settings);
    figures.push_back({fmt::format("tets.{}k", model.tets.size() / 1000),
                       static_cast<double>(model.tets.size()), "1"});
    for (const int used : std::set<int>{1, threads}) {
      const ThreadLimit limit(used);
      measure(model, settings, repeats, fmt::format("{}k.{}thread", model.tets.size() / 1000, used),
              figures);
    }
  }
  return figures;
}

}  // namespace sinew::bench
