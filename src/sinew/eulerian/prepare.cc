#include "sinew/eulerian/prepare.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/stopwatch.h"

namespace sinew::eulerian {
namespace {

constexpr int kMargin = 5;  // nodes around the band: two layers, and a fit's reach beyond

void load_pressures(const Grid& grid, const BodyState& state, BodyWork& work) {
  work.pressure.assign(work.cells.size(), 0.0);
  std::size_t s = 0;  // both lists increase in the grid's order
  for (std::size_t c = 0; c < work.cells.size(); ++c) {
    const std::uint32_t cell = to_grid(grid, work.block, work.cells.node[c]);
    while (s < state.cells.size() && state.cells[s] < cell) ++s;
    if (s < state.cells.size() && state.cells[s] == cell) work.pressure[c] = state.pressures[s];
  }
}

// X~ = X + a (psi(X) - X), fan2014 section 4.
void activate(const Body& body, double activation, BodyWork& work) {
  const Block& block = work.block;
  work.active.resize(block.size());
  parallel_for(block.band.size(), 128, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d X = block.X[block.band[i]];
      work.active.set(block.band[i], X + (body.active_map(X) - X) * activation);
    }
  });
}

// Nodes gather from their eight cells.
void gather_nodes(BodyWork& work) {
  const Block& block = work.block;
  work.mass.assign(block.size(), 0.0);
  work.force.assign(block.size(), {});
  parallel_for(block.band.size(), 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t n = block.band[i];
      for (std::size_t c = 0; c < 8; ++c) {
        const std::int32_t cell = work.cells.at[n - block.corner[c]];
        if (cell < 0) continue;
        const CellForces& f = work.cell_forces[static_cast<std::size_t>(cell)];
        work.mass[n] += f.mass[c];
        work.force[n] += f.force[c];
      }
    }
  });
}

void find_held(const Body& body, BodyWork& work) {
  work.held.clear();
  work.holder.clear();
  if (body.attachments.empty()) return;
  for (const std::uint32_t n : work.block.band) {
    if (work.mass[n] <= 0) continue;
    for (std::size_t a = 0; a < body.attachments.size(); ++a) {
      if (mesh::signed_distance(body.attachments[a].where, work.block.X[n]) > 0) continue;
      work.held.push_back(n);
      work.holder.push_back(static_cast<std::uint32_t>(a));
      break;
    }
  }
}

void find_material(const Model& model, const State& state, std::size_t b, BodyWork& work) {
  const Body& body = model.bodies[b];
  const Grid& grid = model.grids[body.grid].grid;
  load(grid, state.bodies[b], kMargin, work.block);
  compute_distances(body.rest, work.block);
  find_cells(body.rest, work.block, work.cells);
  load_pressures(grid, state.bodies[b], work);
}

void find_forces(const Model& model, std::size_t b, double time, BodyWork& work) {
  const Body& body = model.bodies[b];
  const double activation = find_activation(body, time);
  if (activation > 0) activate(body, activation, work);
  const bool implicit = model.step.integrator == Integrator::kImplicit;
  compute_cell_forces(body.law, work.block, activation > 0 ? work.active : work.block.X, work.cells,
                      work.cell_forces, implicit ? &work.cell_stiffness : nullptr);
  gather_nodes(work);
  find_held(body, work);
}

}  // namespace

void prepare_body(const Model& model, const State& state, std::size_t body, double time,
                  BodyWork& work) {
  find_material(model, state, body, work);
  find_forces(model, body, time, work);
}

void prepare_bodies(const Model& model, const State& state, double time, Workspace& workspace) {
  std::vector<BodyWork>& bodies = workspace.bodies;
  bodies.resize(model.bodies.size());
  {
    const Stopwatch watch(workspace.statistics.sampling_ms);
    for_each_body(model, [&](std::size_t b) { find_material(model, state, b, bodies[b]); });
  }
  const Stopwatch watch(workspace.statistics.forces_ms);
  for_each_body(model, [&](std::size_t b) { find_forces(model, b, time, bodies[b]); });
}

double critical_step(const Model& model, const Workspace& workspace) {
  double least = 1e300;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    double stiffness = 0;
    for (const CellForces& f : workspace.bodies[b].cell_forces) {
      stiffness = std::max(stiffness, f.stiffness);
    }
    const double h = workspace.bodies[b].block.grid.spacing;
    if (stiffness > 0) {
      least = std::min(least, h * std::sqrt(model.bodies[b].law.density / stiffness));
    }
  }
  return least;
}

}  // namespace sinew::eulerian
