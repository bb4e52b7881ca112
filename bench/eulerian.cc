#include "eulerian.h"

#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/eulerian/eulerian_engine.h"

namespace sinew::bench {
namespace {

using namespace sinew::eulerian;

constexpr double kCell = 0.005;  // m, of the grids of fan2014's size

// Cells are 1 / refinement of that size; 9 muscles then have about 40,000 refinement^3 unknowns.
constexpr std::array<double, 4> kRefinements{1, 1.26, 1.6, 2.19};

// A muscle along x, held at both ends, that shortens by a fifth when active.
BodySettings make_muscle(const std::string& name, std::size_t grid, const Vec3d& middle,
                         double half, double radius) {
  BodySettings body;
  body.name = name;
  body.grid = grid;
  const Vec3d start = middle - Vec3d{half, 0, 0}, end = middle + Vec3d{half, 0, 0};
  // Not a spindle: its distance is searched for, which takes about a second a body to build.
  body.shape = {mesh::Capsule{start, end, radius}};
  body.law = {1060, 1e4, 2e4, VolumeMode::kStabilized};
  const double reach = radius;
  const Vec3d cut{2 * reach, 4 * radius, 4 * radius};
  body.attachments.push_back(
      {"origin", {mesh::Box{start - Vec3d{0.7 * radius, 0, 0}, cut}}, {}, {}});
  body.attachments.push_back(
      {"insertion", {mesh::Box{end + Vec3d{0.7 * radius, 0, 0}, cut}}, {}, {}});
  body.active_map = [middle](const Vec3d& X) {
    const Vec3d d = X - middle;
    return middle + Vec3d{0.8 * d.x, d.y / std::sqrt(0.8), d.z / std::sqrt(0.8)};
  };
  body.activation = engine::KeyFrames{{0, 0.05}, {0, 1}, engine::Interpolation::kSmooth};
  return body;
}

GridSettings make_grid(const std::array<int, 3>& cells, const Vec3d& middle, double refinement) {
  GridSettings grid;
  grid.spacing = kCell / refinement;
  for (std::size_t a = 0; a < 3; ++a) {
    grid.cells[a] = static_cast<int>(std::ceil(refinement * cells[a]));
  }
  const Vec3d half{0.5 * grid.cells[0], 0.5 * grid.cells[1], 0.5 * grid.cells[2]};
  grid.low = middle - half * grid.spacing;
  return grid;
}

void touch(std::size_t a, std::size_t b, Settings& settings) {
  ContactSettings contact;
  contact.body = a;
  contact.other = b;
  settings.contacts.push_back(contact);
}

// Muscles side by side: `upper` of them in a ring (with one in its middle where there are seven),
// two in the forearm. `radius` in cells of kCell.
Settings make_arm(int upper, double radius, Integrator integrator, double refinement = 1) {
  Settings settings;
  settings.grids.push_back(make_grid({55, 43, 30}, {0, 0, 0}, refinement));
  settings.grids.push_back(make_grid({42, 20, 21}, {0.4, 0, 0}, refinement));
  const double r = radius * kCell;
  for (int m = 0; m < 6; ++m) {
    const double angle = m * std::numbers::pi / 3;
    const Vec3d at = Vec3d{0, std::cos(angle), std::sin(angle)} * (2 * r);
    settings.bodies.push_back(make_muscle("upper" + std::to_string(m), 0, at, 24 * kCell - r, r));
  }
  for (std::size_t m = 0; m < 6; ++m) touch(m, (m + 1) % 6, settings);
  if (upper == 7) {
    settings.bodies.push_back(make_muscle("middle", 0, {0, 0, 0}, 24 * kCell - r, r));
    for (std::size_t m = 0; m < 6; ++m) touch(6, m, settings);
  }
  const double s = 0.8 * r;
  for (const double side : {-1.0, 1.0}) {
    settings.bodies.push_back(
        make_muscle(side < 0 ? "flexor" : "extensor", 1, {0.4, side * s, 0}, 17 * kCell - s, s));
  }
  touch(settings.bodies.size() - 2, settings.bodies.size() - 1, settings);
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = integrator;
  settings.step.step = 0.002 / refinement;
  return settings;
}

struct Timing {
  double ms = 1e300;
  StepStatistics stages;
};

// The quickest step among `repeats`, with its stages.
Timing measure(EulerianEngine& engine, int repeats) {
  Timing best;
  const StepSettings& step = engine.model().step;
  const double dt = step.integrator == Integrator::kImplicit ? step.step : 0.1 * step.step;
  for (int i = 0; i < repeats + 2; ++i) {
    const StepStatistics before = engine.statistics();
    const auto start = std::chrono::steady_clock::now();
    engine.advance(engine.state().time + dt);
    const auto spent = std::chrono::steady_clock::now() - start;
    const double ms = std::chrono::duration<double, std::milli>(spent).count();
    const StepStatistics& after = engine.statistics();
    if (i < 2 || after.steps - before.steps != 1 || ms >= best.ms) continue;
    best.ms = ms;
    best.stages = after;
    best.stages.sampling_ms -= before.sampling_ms;
    best.stages.forces_ms -= before.forces_ms;
    best.stages.rows_ms -= before.rows_ms;
    best.stages.contact_ms -= before.contact_ms;
    best.stages.solve_ms -= before.solve_ms;
    best.stages.advection_ms -= before.advection_ms;
    best.stages.extrapolation_ms -= before.extrapolation_ms;
    best.stages.surface_ms -= before.surface_ms;
    best.stages.iterations -= before.iterations;
  }
  return best;
}

void add_figures(const std::string& name, const Timing& t, std::vector<Figure>& out) {
  const auto count = [](auto n) { return static_cast<double>(n); };
  const StepStatistics& s = t.stages;
  for (const auto& [stage, value, unit] :
       {std::tuple{"unknowns", count(s.unknowns), "1"}, std::tuple{"rows", count(s.rows), "1"},
        std::tuple{"contact rows", count(s.contact_rows), "1"},
        std::tuple{"iterations", count(s.iterations), "1"}, std::tuple{"step", t.ms, "ms"},
        std::tuple{"sampling", s.sampling_ms, "ms"}, std::tuple{"forces", s.forces_ms, "ms"},
        std::tuple{"assembly, contact included", s.rows_ms, "ms"},
        std::tuple{"contact", s.contact_ms, "ms"}, std::tuple{"solve", s.solve_ms, "ms"},
        std::tuple{"advection", s.advection_ms, "ms"},
        std::tuple{"extrapolation", s.extrapolation_ms, "ms"},
        std::tuple{"surface", s.surface_ms, "ms"}}) {
    out.push_back({name + ": " + stage, value, unit});
  }
}

// Microseconds an unknown of the stages: cost is linear where they do not grow.
void add_costs(const std::string& name, const Timing& t, std::vector<Figure>& out) {
  const StepStatistics& s = t.stages;
  const auto unknowns = static_cast<double>(s.unknowns);
  out.push_back({name + ": unknowns", unknowns, "1"});
  out.push_back({name + ": iterations", static_cast<double>(s.iterations), "1"});
  for (const auto& [stage, ms] :
       {std::pair{"step", t.ms}, std::pair{"sampling and forces", s.sampling_ms + s.forces_ms},
        std::pair{"assembly, contact included", s.rows_ms}, std::pair{"solve", s.solve_ms},
        std::pair{"advection and extrapolation", s.advection_ms + s.extrapolation_ms},
        std::pair{"surface", s.surface_ms}}) {
    out.push_back({name + ": " + stage, 1000 * ms / unknowns, "us/unknown"});
  }
}

void add_sizes(Integrator integrator, const std::string& name, int repeats,
               std::vector<Figure>& out) {
  for (const double refinement : kRefinements) {
    EulerianEngine engine(make_arm(7, 3.4, integrator, refinement));
    add_costs(fmt::format("{}, cells of {:.2f} mm", name, 1000 * kCell / refinement),
              measure(engine, repeats), out);
  }
}

}  // namespace

std::vector<Figure> bench_eulerian(int repeats, int threads) {
  const ThreadLimit limit(threads);
  std::vector<Figure> out;
  {
    EulerianEngine engine(make_arm(7, 3.4, Integrator::kExplicit));
    add_figures("7 + 2 muscles, explicit", measure(engine, repeats), out);
    out.push_back({"7 + 2 muscles: fan2014 with a GPU", 3526, "ms"});
  }
  {
    EulerianEngine engine(make_arm(6, 2.3, Integrator::kExplicit));
    add_figures("6 + 2 muscles, explicit", measure(engine, repeats), out);
    out.push_back({"6 + 2 muscles: fan2014 with a GPU", 2316, "ms"});
  }
  {
    EulerianEngine engine(make_arm(7, 3.4, Integrator::kImplicit));
    add_figures("7 + 2 muscles, implicit, 2 ms", measure(engine, repeats), out);
  }
  add_sizes(Integrator::kExplicit, "explicit", repeats, out);
  add_sizes(Integrator::kImplicit, "implicit", repeats, out);
  return out;
}

}  // namespace sinew::bench
