#include "sinew/eulerian/constraints.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/stopwatch.h"
#include "sinew/eulerian/contact_rows.h"
#include "sinew/eulerian/friction.h"
#include "sinew/eulerian/implicit.h"

namespace sinew::eulerian {
namespace {

constexpr int kMostIterations = 400;
constexpr int kMostActiveSets = 12;
constexpr double kSlack = 1e-4;  // cells that a row may be broken by: solves are not exact
// Of all friction, what does not agree: worth another solve; no result.
constexpr double kFriction = 0.01, kMostFriction = 0.1;
constexpr double kJumpSmoothing = 0.02;

// The rows' multipliers are smoothed on the scale of G M^-1 G^T, as volume_rows.cc says.
double smoothing_scale(const Model& model, const Body& body, double dt) {
  const double h = model.grids[body.grid].grid.spacing;
  const double stiff = model.step.integrator == Integrator::kImplicit
                           ? 4 * body.law.shear_modulus * dt * dt / (h * h)
                           : 0;
  return kJumpSmoothing * h / (body.law.density + stiff);
}

std::function<bool(const Vec3d&)> make_tag(const Model& model, const Contact& contact) {
  if (contact.patch) {
    return [&contact](const Vec3d& X) { return mesh::signed_distance(*contact.patch, X) <= 0; };
  }
  const double reach = kPatchReach * model.grids[model.bodies[contact.body].grid].grid.spacing;
  const RestField& other = contact.other ? model.bodies[*contact.other].rest : *contact.obstacle;
  return [&other, reach](const Vec3d& X) { return sample(other, X) < reach; };
}

void add_contacts(const Model& model, const State& state, double dt, Workspace& workspace) {
  workspace.contacts.clear();
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const Contact& contact = model.contacts[c];
    const Body& body = model.bodies[contact.body];
    ContactPartner partner;
    if (contact.other) {
      partner.block = &workspace.bodies[*contact.other].block;
      partner.rest = &model.bodies[*contact.other].rest;
      partner.body = *contact.other;
    } else {
      partner.distance = [&contact](const Vec3d& x) { return sample(*contact.obstacle, x); };
    }
    const ContactTask task{workspace.bodies[contact.body].block,
                           body.rest,
                           contact.body,
                           std::move(partner),
                           make_tag(model, contact),
                           dt,
                           false,
                           smoothing_scale(model, body, dt),
                           0};
    workspace.contacts.push_back(add_contact_rows(model.grids[body.grid].grid, task,
                                                  workspace.unknowns, state.contacts[c],
                                                  workspace.rows, workspace.links));
  }
}

// A collider as a body's grid sees it at the end of the step.
ContactPartner make_obstacle(const Model& model, const engine::Collider& collider, std::size_t grid,
                             double time, double dt) {
  const engine::RigidPose before = engine::find_pose(model.world, collider, time);
  const engine::RigidPose after = engine::find_pose(model.world, collider, time + dt);
  const engine::RigidPose frame = find_grid_pose(model, grid, time);
  const engine::RigidPose next = find_grid_pose(model, grid, time + dt);
  ContactPartner partner;
  partner.distance = [&collider, before, frame](const Vec3d& x) {
    const Vec3d there = engine::apply_inverse(before, engine::apply(frame, x));
    return mesh::signed_distance(collider.shape, there);
  };
  partner.velocity = [before, after, frame, next, dt](const Vec3d& x) {
    const Vec3d there = engine::apply_inverse(before, engine::apply(frame, x));
    return (engine::apply_inverse(next, engine::apply(after, there)) - x) / dt;
  };
  return partner;
}

void add_obstacles(const Model& model, const State& state, double dt, Workspace& workspace) {
  workspace.obstacles.clear();
  for (const engine::Collider& collider : model.world.colliders) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const std::size_t grid = model.bodies[b].grid;
      const ContactTask task{workspace.bodies[b].block,
                             model.bodies[b].rest,
                             b,
                             make_obstacle(model, collider, grid, state.time, dt),
                             {},
                             dt,
                             true,
                             0,
                             collider.friction};
      workspace.obstacles.push_back(add_contact_rows(
          model.grids[grid].grid, task, workspace.unknowns,
          state.obstacles[workspace.obstacles.size()], workspace.rows, workspace.links));
    }
  }
}

SolveReport solve_explicit(const Model& model, Workspace& workspace) {
  const std::size_t n = workspace.unknowns.size();
  Rows& rows = workspace.rows;
  std::vector<double> inverse_mass(n);
  workspace.velocity.resize(n);
  for (std::size_t u = 0; u < n; ++u) {
    inverse_mass[u] = 1 / workspace.mass[u];
    workspace.velocity[u] = workspace.momentum[u] * inverse_mass[u];
  }
  std::vector<double> r(rows.size());
  multiply(rows, workspace.velocity, r);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= rows.rhs[i];
  const SolveReport report =
      solve_schur(inverse_mass, r, model.step.tolerance, kMostIterations, rows);
  std::vector<Vec3d> impulse(n);
  multiply_transposed(rows, rows.multiplier, impulse);
  for (std::size_t u = 0; u < n; ++u) workspace.velocity[u] -= impulse[u] * inverse_mass[u];
  return report;
}

// An obstacle's row acts where it pushes, or where it would be broken without; returns how many
// changed.
std::size_t update_active_set(const Model& model, double dt, const std::vector<double>& Gv,
                              const Workspace& workspace, Rows& rows) {
  std::size_t changed = 0;
  for (const ContactRows& obstacle : workspace.obstacles) {
    const double h = model.grids[model.bodies[obstacle.body].grid].grid.spacing;
    for (std::size_t i = 0; i < obstacle.cells.size(); ++i) {
      const std::size_t r = obstacle.begin + i;
      if (is_empty(rows, r)) continue;
      const double slack = kSlack * h / dt * obstacle.area[i];
      const bool acts = rows.idle[r] == 0 ? rows.multiplier[r] > 0 : Gv[r] > rows.rhs[r] + slack;
      if (acts == (rows.idle[r] == 0)) continue;
      rows.idle[r] = acts ? 0 : 1;
      if (!acts) rows.multiplier[r] = 0;
      ++changed;
    }
  }
  return changed;
}

ContactState keep(const ContactRows& rows, const std::vector<double>& multipliers, double dt) {
  ContactState state;
  state.cells = rows.cells;
  for (std::size_t i = 0; i < rows.cells.size(); ++i) {
    state.pressures.push_back(multipliers[rows.begin + i] / dt);
  }
  return state;
}

}  // namespace

void make_rows(const Model& model, const State& state, double dt, Workspace& workspace) {
  workspace.rows = {};
  workspace.links.clear();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    BodyWork& work = workspace.bodies[b];
    const VolumeTask task{model.bodies[b].law, model.step, work.block, work.cells,
                          work.cell_forces,    b,          dt};
    work.volume =
        add_volume_rows(task, workspace.unknowns, work.pressure, workspace.rows, workspace.links);
  }
  {
    const Stopwatch watch(workspace.statistics.contact_ms);
    add_contacts(model, state, dt, workspace);
    add_obstacles(model, state, dt, workspace);
  }
  finish_rows(workspace.unknowns.size(), workspace.links, workspace.rows);
  std::size_t contact_rows = 0;
  for (const ContactRows& c : workspace.contacts) contact_rows += c.cells.size();
  for (const ContactRows& obstacle : workspace.obstacles) {
    contact_rows += obstacle.cells.size();
    for (std::size_t i = 0; i < obstacle.cells.size(); ++i) {
      const std::size_t r = obstacle.begin + i;
      const bool acts = workspace.rows.multiplier[r] > 0 || obstacle.gap[i] < 0;
      workspace.rows.idle[r] = acts && !is_empty(workspace.rows, r) ? 0 : 1;
    }
  }
  workspace.statistics.contact_rows = contact_rows;
}

SolveReport solve_rows(const Model& model, double dt, Workspace& workspace) {
  SolveReport total;
  const std::vector<Slide> slides = make_slides(model, workspace);
  std::vector<double> Gv(workspace.rows.size());
  std::vector<double> solved;  // with which the unknowns move as they do
  for (int turn = 0; turn < kMostActiveSets; ++turn) {
    const SolveReport report = model.step.integrator == Integrator::kImplicit
                                   ? solve_implicit(model, dt, workspace)
                                   : solve_explicit(model, workspace);
    total.iterations += report.iterations;
    total.residual = report.residual;  // every turn solves the whole anew
    total.converged = report.converged;
    multiply(workspace.rows, workspace.velocity, Gv);
    solved = workspace.rows.multiplier;
    const std::size_t changed = update_active_set(model, dt, Gv, workspace, workspace.rows);
    const double error = update_slides(Gv, slides, workspace.rows);
    total.agreed = changed == 0 && error <= kMostFriction;
    if (changed == 0 && error <= kFriction) break;
  }
  workspace.rows.multiplier = std::move(solved);
  return total;
}

void keep_multipliers(const Model& model, double dt, const Workspace& workspace, State& state) {
  const std::vector<double>& y = workspace.rows.multiplier;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Grid& grid = model.grids[model.bodies[b].grid].grid;
    const BodyWork& work = workspace.bodies[b];
    BodyState& body = state.bodies[b];
    body.cells.clear();
    body.pressures.clear();
    for (std::size_t c = 0; c < work.cells.size(); ++c) {
      const std::int32_t row = work.volume.of_cell[c];
      if (row < 0) continue;
      body.cells.push_back(to_grid(grid, work.block, work.cells.node[c]));
      body.pressures.push_back(-y[work.volume.begin + static_cast<std::size_t>(row)] / dt);
    }
  }
  for (std::size_t c = 0; c < workspace.contacts.size(); ++c) {
    state.contacts[c] = keep(workspace.contacts[c], y, dt);
  }
  for (std::size_t c = 0; c < workspace.obstacles.size(); ++c) {
    state.obstacles[c] = keep(workspace.obstacles[c], y, dt);
  }
}

}  // namespace sinew::eulerian
