#include "implicit.h"

#include <cmath>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/material/presets.h"
#include "sinew/tet/drive.h"
#include "sinew/tet/implicit.h"

namespace sinew::bench {
namespace {

constexpr double kStep = 1.0 / 24;  // s

// A block of muscle 3 : 1 : 1 along its fibres, both ends held.
tet::Settings make_block(double num_tets, const material::Material& material) {
  constexpr double kLength = 0.12, kWidth = 0.04;
  tet::Settings settings;
  tet::BodySettings body;
  body.name = "muscle";
  body.shape.form = mesh::Box{{0, 0, 0}, {kLength, kWidth, kWidth}};
  body.resolution = std::cbrt(12 * kLength * kWidth * kWidth / num_tets);
  body.material = material;
  body.fibers = [](const Vec3d&) { return Vec3d{1, 0, 0}; };
  body.regions.push_back({"all", {}, engine::KeyFrames{{0, kStep}, {0, 1}}, {}});
  for (const double side : {-1.0, 1.0}) {
    const double reach = 2 * body.resolution;
    body.attachments.push_back({side < 0 ? "origin" : "insertion",
                                {mesh::Box{{side * 0.5 * kLength, 0, 0}, {reach, 1, 1}}},
                                {}});
  }
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  return settings;
}

// The cube of a published comparison: 0.1 m, one face held, under its weight.
tet::Settings make_cube() {
  tet::Settings settings;
  tet::BodySettings body;
  body.name = "cube";
  body.shape.form = mesh::Box{{0, 0, 0}, {0.1, 0.1, 0.1}};
  body.resolution = 0.1 / std::cbrt(105456.0 / 12);
  body.material.law = material::NeoHookean{material::compute_lame(60e3, 0.45)};
  body.attachments.push_back(
      {"face", {mesh::Box{{-0.05, 0, 0}, {0.5 * body.resolution, 1, 1}}}, {}});
  settings.bodies.push_back(body);
  settings.world.gravity = {0, -9.80665, 0};
  return settings;
}

tet::Stage make_stage(const tet::Model& model, const tet::State& state, double step) {
  std::vector<double> activations = state.activations;
  tet::advance_activations(model, 0, step, activations);
  return tet::make_backward_euler_stage(model, state, step, activations);
}

double compute_error(const std::vector<Vec3d>& start, const std::vector<Vec3d>& exact,
                     const std::vector<Vec3d>& found) {
  double error = 0, size = 0;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    error += dot(found[n] - exact[n], found[n] - exact[n]);
    size += dot(exact[n] - start[n], exact[n] - start[n]);
  }
  return std::sqrt(error / size);
}

struct Solved {
  double milliseconds = 0;
  double error = 0;
  solver::MinimizeReport report;
};

// The fastest of ever tighter tolerances that reaches the wanted error.
Solved solve_to(double wanted, tet::Accuracy accuracy, const tet::Stage& stage,
                const std::vector<Vec3d>& start, const std::vector<Vec3d>& exact, int repeats,
                tet::StageSolver& solver) {
  tet::StageSettings settings = tet::make_stage_settings(accuracy);
  Solved solved;
  constexpr int kNumTightenings = 33;  // from 10 to 1e-4 of what is wanted
  for (int tightening = 0; tightening < kNumTightenings; ++tightening) {
    settings.minimize.tolerance = 10 * wanted * std::pow(0.7, tightening);
    std::vector<Vec3d> positions;
    const auto work = [&] {
      positions = start;
      solved.report = solver.solve(stage, settings, start, positions);
    };
    work();
    solved.error = compute_error(start, exact, positions);
    if (solved.error > wanted) continue;
    solved.milliseconds = best_milliseconds(repeats, work);
    return solved;
  }
  solved.milliseconds = std::numeric_limits<double>::infinity();
  return solved;
}

double measure_block(const std::string& name, double num_tets, const material::Material& material,
                     int repeats, std::vector<Figure>& figures) {
  const tet::Settings settings = make_block(num_tets, material);
  const tet::Model model = tet::make_model(settings);
  const tet::State state = tet::make_state(model, settings);
  const tet::Stage stage = make_stage(model, state, kStep);
  tet::StageSolver solver(model);
  std::vector<Vec3d> exact = state.positions;
  tet::StageSettings tight = tet::make_stage_settings(tet::Accuracy::kEngineering);
  tight.minimize.tolerance = 1e-9;
  const double first = milliseconds([&] { solver.solve(stage, tight, state.positions, exact); });
  const auto tets = static_cast<double>(model.tets.size());
  figures.push_back({name + ".tets", tets, "1"});
  figures.push_back({name + ".first_solve_with_setup", first, "ms"});
  double coarse = 0;
  for (const double wanted : {1e-2, 1e-6}) {
    const tet::Accuracy accuracy =
        wanted > 1e-4 ? tet::Accuracy::kAnimation : tet::Accuracy::kEngineering;
    const Solved solved =
        solve_to(wanted, accuracy, stage, state.positions, exact, repeats, solver);
    const std::string label = fmt::format("{}.to_{:.0e}", name, wanted);
    figures.push_back({label, solved.milliseconds, "ms"});
    figures.push_back({label + ".error", solved.error, "1"});
    figures.push_back({label + ".iterations", static_cast<double>(solved.report.iterations), "1"});
    figures.push_back(
        {label + ".newton", static_cast<double>(solved.report.newton_iterations), "1"});
    figures.push_back({label + ".cg", static_cast<double>(solved.report.cg_iterations), "1"});
    if (wanted > 1e-4) coarse = solved.milliseconds;
  }
  figures.push_back({name + ".bytes_per_tet", static_cast<double>(solver.bytes()) / tets, "bytes"});
  return coarse;
}

void measure_cube(int repeats, std::vector<Figure>& figures) {
  const tet::Settings settings = make_cube();
  const tet::Model model = tet::make_model(settings);
  const tet::State state = tet::make_state(model, settings);
  const tet::Stage stage = make_stage(model, state, 1.0 / 60);
  tet::StageSolver solver(model);
  // Tight enough that the true residual, of the forces themselves, falls below 1e-6.
  tet::StageSettings settings_of_solve = tet::make_stage_settings(tet::Accuracy::kEngineering);
  settings_of_solve.minimize.tolerance = 3e-8;
  solver::MinimizeReport report;
  std::vector<Vec3d> positions;
  const double ms = best_milliseconds(repeats, [&] {
    positions = state.positions;
    report = solver.solve(stage, settings_of_solve, state.positions, positions);
  });
  figures.push_back({"cube.tets", static_cast<double>(model.tets.size()), "1"});
  figures.push_back({"cube.step", ms, "ms"});
  figures.push_back({"cube.residual", report.gradient / report.first_gradient, "1"});
}

}  // namespace

std::vector<Figure> bench_implicit(int repeats, int threads) {
  std::vector<Figure> figures;
  const material::Material printed = material::make_preset("teran2005");
  material::Material stiff = printed;  // the same, kappa/mu = 100
  auto& law = std::get<material::Muscle>(stiff.law);
  law.matrix.K = 100 * (law.matrix.c1 + law.matrix.c2);
  stiff.average_dilatation = true;
  std::vector<double> sizes = {30e3, 100e3, 1e6};
  if (threads > 1) sizes.push_back(3e6);
  std::vector<double> times;
  times.reserve(sizes.size());
  for (const double size : sizes) {
    times.push_back(
        measure_block(fmt::format("block_{:.0f}k", size / 1e3), size, printed, repeats, figures));
  }
  const double exponent =
      std::log(times.back() / times.front()) / std::log(sizes.back() / sizes.front());
  figures.push_back({"exponent", exponent, "1"});
  measure_block("block_100k_kappa100", 100e3, stiff, repeats, figures);
  measure_cube(repeats, figures);
  return figures;
}

}  // namespace sinew::bench
