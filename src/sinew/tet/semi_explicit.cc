#include "sinew/tet/semi_explicit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/parallel.h"
#include "sinew/core/stopwatch.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/tet/drive.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 2048;
constexpr std::uint64_t kFollowEvery = 5;  // steps between single power iterations afterwards
constexpr double kMaxStrainStep = 0.5;     // |dF| a step: beyond it the explicit forces mean little
constexpr double kRegrowth = 1.5;          // of the step after a failure, a step

// Equations (16) and (17): (M + h/2 C) v = M v_old + h/2 (f + M g), v replacing v_old.
// `half` is h/2. Returns whether the solve converged.
bool accelerate(const Model& model, double time, double half, const std::vector<Vec3d>& positions,
                std::vector<Vec3d>& velocities, StepWorkspace& ws) {
  const std::size_t n = velocities.size();
  ws.right_side.resize(n);
  add_grip_impulses(model, half, positions, velocities);
  parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d g = engine::compute_acceleration(model.world, time, positions[i], velocities[i]);
      if (model.held[i] == 0) velocities[i] += (ws.forces[i] * model.inverse_masses[i] + g) * half;
      ws.right_side[i] = velocities[i] * model.masses[i];
    }
  });
  if (!has_damping(model)) return true;
  const Stopwatch watch(ws.statistics.ms_damping);
  const std::vector<double> stiffness = compute_stiffness(model, time);
  const auto apply = [&](const solver::NodalVector& in, solver::NodalVector& out) {
    apply_damping(model, stiffness, in, ws.force, out);
    parallel_for(n, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] = in[i] * model.masses[i] + out[i] * half;
    });
  };
  // The preconditioner is zero at held nodes, which therefore keep their velocities.
  // A body at rest has large forces that cancel: the solve need not be finer than their impulse.
  const double scale =
      std::sqrt(solver::weighted_dot(model.inverse_masses, ws.right_side, ws.right_side) +
                half * half * solver::weighted_dot(model.inverse_masses, ws.forces, ws.forces));
  const solver::CgReport report =
      solver::conjugate_gradients(apply, model.inverse_masses, ws.right_side,
                                  {model.step.tolerance, 200, scale}, velocities, ws.cg);
  ws.statistics.cg_iterations += static_cast<std::uint64_t>(report.iterations);
  ws.statistics.cg_residual = std::max(ws.statistics.cg_residual, report.residual);
  return report.converged;
}

bool all_finite(const std::vector<Vec3d>& values) {
  // A sum is finite only if every part is (or parts overflow, which is no better).
  return std::isfinite(solver::dot(values, values));
}

// Held nodes move straight to where they are told to be at the end of the step.
void set_held_velocities(const Model& model, const State& state, double h, double end,
                         State& next) {
  if (model.attachments.empty()) return;
  std::vector<Vec3d> targets = state.positions;
  move_held_nodes(model, end, targets);
  for (const Attachment& attachment : model.attachments) {
    for (const std::uint32_t n : attachment.nodes) {
      next.velocities[n] = (targets[n] - state.positions[n]) / h;
    }
  }
}

// One step of size h from `state` into ws.next, which it puts at `end`. Returns whether it may be
// kept.
bool try_step(const Model& model, const State& state, double h, double end, StepWorkspace& ws) {
  State& next = ws.next;
  next = state;
  refresh_forces(model, state, ws);
  set_held_velocities(model, state, h, end, next);
  if (!accelerate(model, state.time, 0.5 * h, state.positions, next.velocities, ws)) return false;
  std::vector<Contact> contacts;
  {
    const Stopwatch watch(ws.statistics.ms_contact);
    contacts = find_contacts(model, state.time, h, state.positions, next.velocities);
    resolve_contacts(model, contacts, next.velocities);
  }
  if (!all_finite(next.velocities)) return false;
  if (compute_largest_rate(model, next.velocities) * h > 4 * kMaxStrainStep) return false;
  for (std::size_t i = 0; i < next.positions.size(); ++i) {
    next.positions[i] += next.velocities[i] * h;
  }
  move_held_nodes(model, end, next.positions);
  advance_activations(model, state.time, h, next.activations);
  next.time = end;
  ws.forces_valid = false;
  refresh_forces(model, next, ws);
  if (!accelerate(model, next.time, 0.5 * h, next.positions, next.velocities, ws)) return false;
  {
    const Stopwatch watch(ws.statistics.ms_contact);
    std::vector<Contact> touching = keep_touching(contacts);
    resolve_contacts(model, touching, next.velocities);
  }
  return all_finite(next.positions) && all_finite(next.velocities);
}

[[noreturn]] void give_up(const Model& model, const State& state) {
  throw engine::StepFailure(fmt::format(
      "at {:.6g} s no step above solver.min_step = {:.3g} s is possible; a coarser resolution, a "
      "softer material or a smaller min_step may help",
      state.time, model.step.min_step));
}

// The largest step that stability, accuracy and earlier failures allow at the present state.
double choose_step(const Model& model, State& state, StepWorkspace& ws) {
  refresh_forces(model, state, ws);
  double h = model.step.max_step;
  {
    const Stopwatch watch(ws.statistics.ms_stability);
    const std::vector<double> stiffness = compute_stiffness(model, state.time);
    std::vector<double> activations = state.activations;
    advance_activations(model, state.time, h, activations);
    const bool ramping =
        stiffness != compute_stiffness(model, state.time + h) || activations != state.activations;
    const bool unknown = state.frequency_squared == 0;
    if (unknown || ramping || state.steps % kFollowEvery == 0) {
      const KernelInput input =
          make_moving_input(model, state, state.time, state.activations, Continuation::kStress);
      update_frequency(model, input, ws.forces, unknown ? kFirstIterations : 1, state,
                       ws.stability);
    }
    h = std::min(h, model.step.safety * critical_step(state));
    h = std::min(h, model.step.safety * compute_grip_step(model, state.frequency_squared));
    const double rate = compute_largest_rate(model, state.velocities);
    if (rate > 0) h = std::min(h, kMaxStrainStep / rate);
    const double field_rate = engine::compute_field_rate(model.world, state.time);
    if (field_rate > 0) h = std::min(h, 1 / field_rate);
  }
  if (state.step_limit > 0) h = std::min(h, state.step_limit);
  return h;
}

}  // namespace

void refresh_forces(const Model& model, const State& state, StepWorkspace& ws) {
  if (ws.forces_valid) return;
  const Stopwatch watch(ws.statistics.ms_force);
  // Implicit steps balance an energy's gradient: with other forces what two ends pull with would
  // differ where elements are crushed.
  const auto continuation = model.step.integrator == Integrator::kSemiExplicit
                                ? Continuation::kStress
                                : Continuation::kEnergy;
  const KernelInput input =
      make_moving_input(model, state, state.time, state.activations, continuation);
  compute_elastic_forces(model, input, state.positions, ws.force, ws.forces);
  ws.forces_valid = true;
}

void advance(const Model& model, double time, State& state, StepWorkspace& ws) {
  while (state.time < time) {
    double h = choose_step(model, state, ws);
    if (!(h >= model.step.min_step)) give_up(model, state);
    // Equal steps to the end of the interval, so that none is left over.
    const double remaining = time - state.time;
    const double parts = std::ceil(remaining / h * (1 - 1e-12));
    bool last = parts <= 1;
    h = last ? remaining : remaining / parts;
    while (!try_step(model, state, h, last ? time : state.time + h, ws)) {
      ws.forces_valid = false;
      last = false;
      h *= 0.5;
      ++state.halvings;
      ++ws.statistics.halvings;
      if (!(h >= model.step.min_step)) give_up(model, state);
      state.step_limit = h;
    }
    const std::uint64_t halvings = state.halvings;
    double limit = state.step_limit;
    if (limit > 0) limit = limit * kRegrowth < model.step.max_step ? limit * kRegrowth : 0;
    std::swap(state, ws.next);
    state.halvings = halvings;
    state.step_limit = limit;
    ++state.steps;
    ++ws.statistics.steps;
    double& shortest = ws.statistics.shortest_step;
    shortest = shortest > 0 ? std::min(shortest, h) : h;
  }
}

}  // namespace sinew::tet
