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

void find_active_shape(const Body& body, const NodeField& passive, BodyWork& work) {
  const Block& block = work.block;
  work.active.resize(block.size());
  parallel_for(block.band.size(), 128, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      work.active.set(block.band[i], body.active_map(passive[block.band[i]]));
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

void tie_cells(BodyWork& work) {
  const Block& block = work.block;
  std::vector<std::uint8_t> held(block.size(), 0);
  for (const Held& h : work.held) held[h.node] = 1;
  for (std::size_t c = 0; c < work.cells.size(); ++c) {
    const std::size_t n = work.cells.node[c];
    const bool all = std::all_of(block.corner.begin(), block.corner.end(),
                                 [&](std::size_t offset) { return held[n + offset] != 0; });
    work.cells.tied[c] = all ? 1 : 0;
  }
}

// Held nodes, and the tissue beside them.
void find_borders(const Body& body, BodyWork& work) {
  work.held.clear();
  if (body.attachments.empty()) return;
  const Depths depths = find_depths(body, work.poses, work.block);
  work.held = find_held(body, depths, work.block);
  work.soft = work.block.X;
  for (const Held& held : work.held) {
    work.soft.set(held.node, find_material(held, work.poses[held.attachment], work.block));
  }
  cut_attachments(body.rest, work.block, depths.d, work.cells);
  tie_cells(work);
}

// What attachments hold moves with them; what of a held node is free moves as the tissue does.
void split_masses(BodyWork& work) {
  work.soft_mass = work.mass;
  std::erase_if(work.held, [&](const Held& held) { return work.mass[held.node] <= 0; });
  for (Held& held : work.held) {
    // A free node without mass leads nowhere: what is on a line to it is wholly held.
    if (held.ratio != 0 && work.mass[held.inner] <= 0) held.ratio = 0;
    double mass = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const std::int32_t cell = work.cells.at[held.node - work.block.corner[c]];
      if (cell >= 0) mass += work.cell_forces[static_cast<std::size_t>(cell)].soft_mass[c];
    }
    work.soft_mass[held.node] = mass;
  }
}

void load_material(const Model& model, const State& state, std::size_t b, BodyWork& work) {
  const Body& body = model.bodies[b];
  const Grid& grid = model.grids[body.grid].grid;
  load(grid, state.bodies[b], kMargin, work.block);
  compute_distances(body.rest, work.block);
  find_cells(body.rest, work.block, work.cells);
  load_pressures(grid, state.bodies[b], work);
  find_borders(body, work);
}

void find_forces(const Model& model, std::size_t b, double time, BodyWork& work) {
  const Body& body = model.bodies[b];
  const double activation = find_activation(body, time);
  const NodeField& X = body.attachments.empty() ? work.block.X : work.soft;
  if (activation > 0) find_active_shape(body, X, work);
  const bool implicit = model.step.integrator == Integrator::kImplicit;
  compute_cell_forces(body.law, work.block, {X, work.active, activation}, work.cells,
                      work.cell_forces, implicit ? &work.cell_stiffness : nullptr);
  gather_nodes(work);
  split_masses(work);
}

// Bones are asked by one thread.
void find_poses(const Model& model, const State& state, std::size_t b, BodyWork& work) {
  const Body& body = model.bodies[b];
  work.poses.clear();
  for (const Attachment& a : body.attachments) {
    work.poses.push_back(find_attachment_pose(model, body, a, state.time));
  }
}

}  // namespace

void prepare_body(const Model& model, const State& state, std::size_t body, double time,
                  BodyWork& work) {
  find_poses(model, state, body, work);
  load_material(model, state, body, work);
  find_forces(model, body, time, work);
}

void load_bodies(const Model& model, const State& state, Workspace& workspace) {
  std::vector<BodyWork>& bodies = workspace.bodies;
  bodies.resize(model.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) find_poses(model, state, b, bodies[b]);
  const Stopwatch watch(workspace.statistics.sampling_ms);
  for_each_body(model, [&](std::size_t b) { load_material(model, state, b, bodies[b]); });
}

void find_forces(const Model& model, double time, Workspace& workspace) {
  const Stopwatch watch(workspace.statistics.forces_ms);
  for_each_body(model, [&](std::size_t b) { find_forces(model, b, time, workspace.bodies[b]); });
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
