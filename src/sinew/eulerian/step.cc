#include "sinew/eulerian/step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/core/stopwatch.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/eulerian/carry.h"
#include "sinew/eulerian/constraints.h"
#include "sinew/eulerian/frame_motion.h"
#include "sinew/eulerian/penetration.h"
#include "sinew/eulerian/prepare.h"
#include "sinew/eulerian/schur.h"

namespace sinew::eulerian {
namespace {

constexpr double kMostCells = 0.9;  // that anything may move in a step
constexpr double kRounding = 1e-9;  // of a step
constexpr double kSlack = 1.1;      // on safety, before forces are found anew
// Of a full node's mass: lighter ones are slaves (departure A of docs/theory/eulerian.md).
constexpr double kSlaveExplicit = 0.1, kSlaveImplicit = 0.15;

// What is tried at one length of a step.
struct Attempt {
  double time, dt;  // s
  std::vector<FrameMotion> frames;
  SolveReport report = {};
};

// The velocity that takes what is at x after the step from where it was before, as the material of
// the attachment moves.
Vec3d held_velocity(const engine::RigidPose& before, const engine::RigidPose& after, const Vec3d& x,
                    double dt) {
  return (x - engine::apply(before, engine::apply_inverse(after, x))) / dt;
}

// v_n = v_h(n) + r (v_a - v_h(a)), eq. 20
std::vector<HeldNode> find_held_velocities(const Model& model, const Body& body,
                                           const Attempt& attempt, BodyWork& work) {
  std::vector<engine::RigidPose> after;
  for (const Attachment& a : body.attachments) {
    after.push_back(find_attachment_pose(model, body, a, attempt.time + attempt.dt));
  }
  const auto velocity = [&](std::uint32_t node, std::uint32_t a) {
    return held_velocity(work.poses[a], after[a], position_of(work.block, node), attempt.dt);
  };
  std::vector<HeldNode> out;
  work.held_velocity.clear();
  work.border_velocity.clear();
  for (const Held& held : work.held) {
    const Vec3d v = velocity(held.node, held.attachment);
    work.held_velocity.push_back(v);
    out.push_back({held.node, v, held.inner, held.ratio});
    if (held.ratio != 0) out.back().velocity -= velocity(held.inner, held.attachment) * held.ratio;
    work.border_velocity.push_back(out.back().velocity / (1 - held.ratio));
  }
  return out;
}

void number_unknowns(const Model& model, const Attempt& attempt, Workspace& workspace) {
  workspace.unknowns = {};
  const bool implicit = model.step.integrator == Integrator::kImplicit;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    BodyWork& work = workspace.bodies[b];
    const double h = work.block.grid.spacing;
    const double least =
        (implicit ? kSlaveImplicit : kSlaveExplicit) * body.law.density * h * h * h;
    add_unknowns(work.block, work.soft_mass, least,
                 find_held_velocities(model, body, attempt, work), workspace.unknowns);
  }
}

// Mass and momentum of the unknowns after forces have acted for dt, before constraints do.
void collect_momentum(const Model& model, const Attempt& attempt, Workspace& workspace) {
  const Unknowns& unknowns = workspace.unknowns;
  workspace.mass.assign(unknowns.size(), 0.0);
  workspace.momentum.assign(unknowns.size(), {});
  std::vector<double> own(unknowns.size());
  const double keep = std::exp(-model.step.damping * attempt.dt);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyWork& work = workspace.bodies[b];
    const FrameMotion& frame = attempt.frames[model.bodies[b].grid];
    for (const std::uint32_t n : work.block.band) {
      const double mass = work.soft_mass[n];
      if (mass <= 0) continue;
      const Vec3d v = work.block.v[n];
      const Vec3d a =
          felt_acceleration(model.world, frame, attempt.time, position_of(work.block, n), v);
      const Vec3d impulse = (a * mass + work.force[n]) * attempt.dt;
      visit(unknowns, b, n, [&](std::uint32_t u, double weight) {
        workspace.mass[u] += weight * mass;
        workspace.momentum[u] += impulse * weight;
      });
      const std::int32_t code = unknowns.code[b][n];
      if (code >= 0) own[static_cast<std::size_t>(code)] = mass;
    }
  }
  // Slaves' inertia is that of their masters' own velocities: with the slaves', 2 v_a - v_b, the
  // difference of v_a and v_b would grow in every step.
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Block& block = workspace.bodies[b].block;
    for (std::size_t u = unknowns.begin[b]; u < unknowns.begin[b + 1]; ++u) {
      workspace.mass[u] = std::max(workspace.mass[u], 0.5 * own[u]);
      workspace.momentum[u] += block.v[unknowns.node[u]] * (keep * workspace.mass[u]);
    }
  }
}

bool is_sane(const Model& model, const Workspace& workspace, double dt) {
  double h = 1e300;
  for (const GridFrame& g : model.grids) h = std::min(h, g.grid.spacing);
  const double limit = kMostCells * h / dt;
  for (const Vec3d& v : workspace.velocity) {
    if (!(dot(v, v) <= limit * limit)) return false;  // false for NaN too
  }
  return true;
}

// Tries one length; false where the result moves too far or is not finite.
bool try_step(const Model& model, const State& state, Attempt& attempt, Workspace& workspace) {
  StepStatistics& statistics = workspace.statistics;
  {
    const Stopwatch watch(statistics.rows_ms);
    number_unknowns(model, attempt, workspace);
    collect_momentum(model, attempt, workspace);
    make_rows(model, state, attempt.dt, workspace);
  }
  const Stopwatch watch(statistics.solve_ms);
  attempt.report = solve_rows(model, attempt.dt, workspace);
  statistics.iterations += static_cast<std::uint64_t>(attempt.report.iterations);
  statistics.unknowns = 3 * workspace.unknowns.size();
  statistics.rows = workspace.rows.size();
  return is_sane(model, workspace, attempt.dt);
}

// Power of the elastic stress on the motion, W.
double find_power(const Model& model, const Workspace& workspace) {
  double power = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyWork& work = workspace.bodies[b];
    for (const std::uint32_t n : work.block.band) {
      if (workspace.unknowns.code[b][n] == kNoNode) continue;
      power += dot(work.force[n], velocity_of(workspace.unknowns, b, n, workspace.velocity));
    }
  }
  return power;
}

// What active shapes do: the elastic energy that there is more than before, and what stress gave to
// motion meanwhile. Attachments and loads are not in it, they act through motion.
void add_work(const Model& model, const Workspace& workspace, double dt, State& state) {
  double energy = 0;
  for (const BodyWork& work : workspace.bodies) {
    for (const CellForces& f : work.cell_forces) energy += f.energy;
  }
  state.work += energy - state.elastic_energy + find_power(model, workspace) * dt;
  state.elastic_energy = energy;
}

Attempt make_attempt(const Model& model, const State& state, double dt) {
  Attempt attempt{state.time, dt, {}, {}};
  for (std::size_t g = 0; g < model.grids.size(); ++g) {
    attempt.frames.push_back(find_frame_motion(model, g, state.time, dt, state));
  }
  return attempt;
}

// Of what is near obstacles.
double find_penetration(const Model& model, const Workspace& workspace, const State& state) {
  double deepest = 0;
  for (std::size_t c = 0; c < workspace.obstacles.size(); ++c) {
    const ContactRows& rows = workspace.obstacles[c];
    if (rows.cells.empty()) continue;
    const engine::Collider& collider = model.world.colliders[c / model.bodies.size()];
    deepest = std::max(deepest, find_penetration(model, state, collider, rows.body));
  }
  return deepest;
}

void finish_step(const Model& model, const Attempt& attempt, double end, State& state,
                 Workspace& workspace) {
  add_work(model, workspace, attempt.dt, state);
  keep_multipliers(model, attempt.dt, workspace, state);
  carry_bodies(model, end, attempt.dt, workspace, state);
  for (std::size_t g = 0; g < model.grids.size(); ++g) state.grids[g] = attempt.frames[g].now;
  state.time = end;
  ++state.steps;
  StepStatistics& statistics = workspace.statistics;
  ++statistics.steps;
  statistics.penetration =
      std::max(statistics.penetration, find_penetration(model, workspace, state));
  statistics.unconverged += attempt.report.converged && attempt.report.agreed ? 0 : 1;
  statistics.worst_residual = std::max(statistics.worst_residual, attempt.report.residual);
}

// How long a step may be by what is known of stresses and fields. Throws where that is too short.
double longest_step(const Model& model, const State& state) {
  double dt = model.step.step;
  if (model.step.integrator == Integrator::kExplicit && state.critical_step > 0) {
    dt = std::min(dt, model.step.safety * state.critical_step);
  }
  const double rate = engine::compute_field_rate(model.world, state.time);
  if (rate > 0) dt = std::min(dt, 1 / rate);
  if (dt < model.step.min_step) {
    throw engine::StepFailure(
        fmt::format("at {:.6g} s the stable step falls to {:.3g} s, below {:.3g} s: tissue is too "
                    "stiff, or a field too strong; implicit steps, a softer tissue or weaker "
                    "forces may help",
                    state.time, dt, model.step.min_step));
  }
  return dt;
}

// Equal steps to the end, so that none is a sliver.
double divide_equally(double left, double longest) {
  return left / std::max(1.0, std::ceil(left / longest - 1e-9));
}

// Forces with the activation at the step's end. Explicit steps are as long as the last step's
// stresses allow; where those with this activation allow much less, a shorter one is chosen.
double choose_step(const Model& model, double left, State& state, Workspace& workspace) {
  while (true) {
    const double dt = divide_equally(left, longest_step(model, state));
    find_forces(model, state.time + dt, workspace);
    // 0 would be unknown.
    state.critical_step =
        std::max(critical_step(model, workspace), std::numeric_limits<double>::min());
    if (model.step.integrator == Integrator::kImplicit) return dt;
    const double most = std::min(kSlack * model.step.safety, 0.5 * (1 + model.step.safety));
    if (dt <= most * state.critical_step) return dt;
  }
}

// One step of at most `until - time`. `reactions`, where asked for, gain the step's impulses.
void step_once(const Model& model, double until, State& state, Workspace& workspace,
               Reactions* reactions) {
  load_bodies(model, state, workspace);
  const double left = until - state.time;
  double dt = choose_step(model, left, state, workspace);
  while (true) {
    const bool last = dt >= left * (1 - 1e-12);
    Attempt attempt = make_attempt(model, state, dt);
    if (try_step(model, state, attempt, workspace)) {
      if (reactions != nullptr) {
        add_reactions(model, {attempt.time, dt, attempt.frames}, workspace, *reactions);
      }
      finish_step(model, attempt, last ? until : state.time + dt, state, workspace);
      return;
    }
    ++workspace.statistics.halvings;
    dt /= 2;
    if (dt < model.step.min_step) {
      throw engine::StepFailure(
          fmt::format("at {:.6g} s a step fails even at {:.3g} s: tissue moves too fast for its "
                      "grid; a finer step, more damping or weaker forces may help",
                      state.time, dt));
    }
    find_forces(model, state.time + dt, workspace);
  }
}

}  // namespace

void advance(const Model& model, double time, State& state, Workspace& workspace,
             Reactions* reactions) {
  const double span = time - state.time;
  if (reactions != nullptr) *reactions = make_reactions(model);
  while (state.time < time) {
    // What rounding of times leaves is no step: volumes would be corrected within it.
    if (time - state.time < kRounding * model.step.step) {
      state.time = time;
    } else {
      step_once(model, time, state, workspace, reactions);
    }
  }
  if (reactions != nullptr && span > 0) divide(span, *reactions);
}

}  // namespace sinew::eulerian
