#include "sinew/tet/implicit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/stopwatch.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/tet/carry.h"
#include "sinew/tet/drive.h"

namespace sinew::tet {
namespace {

using Vectors = std::vector<Vec3d>;

constexpr double kLeastPart = 1.0 / 16;  // of the longest step; none is made shorter

Vectors combine(double a, const Vectors& x, double b, const Vectors& y) {
  Vectors result(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) result[n] = a * x[n] + b * y[n];
  return result;
}

// Gravity and force fields at the beginning of the step: they are slow against the tissue.
Vectors compute_accelerations(const Model& model, const State& state) {
  Vectors result(state.positions.size());
  for (std::size_t n = 0; n < result.size(); ++n) {
    result[n] = engine::compute_acceleration(model.world, state.time, state.positions[n],
                                             state.velocities[n]);
  }
  return result;
}

struct StageResult {
  bool converged, finite;
};

// Solves a stage from the given guess and adds to the statistics.
StageResult solve(const Model& model, const Stage& stage, const Vectors& start, Vectors& positions,
                  StageSolver& solver, StepStatistics& statistics, const Vectors* other = nullptr) {
  move_held_nodes(model, stage.time, positions);
  const Stopwatch watch(statistics.ms_solve);
  const solver::MinimizeReport report =
      solver.solve(stage, make_stage_settings(model.step.accuracy), start, positions, other);
  statistics.solves += 1;
  statistics.iterations += static_cast<std::uint64_t>(report.iterations);
  statistics.newton_iterations += static_cast<std::uint64_t>(report.newton_iterations);
  statistics.cg_iterations += static_cast<std::uint64_t>(report.cg_iterations);
  statistics.backtracks += static_cast<std::uint64_t>(report.backtracks);
  statistics.residual = std::max(statistics.residual, report.residual);
  const double sum = solver::dot(positions, positions);
  return {report.converged, std::isfinite(sum)};
}

// Where held tissue may begin instead of flying on, which can fold it: where it was.
std::optional<Vectors> find_resting_guess(const Model& model, double time, const Vectors& start) {
  if (model.attachments.empty()) return std::nullopt;
  Vectors guess = start;
  move_held_nodes(model, time, guess);
  return guess;
}

// Mean of what the tissue does to the bones, over one step; null where nobody asks.
using Wrenches = std::vector<engine::Wrench>;

StageResult step_backward_euler(const Model& model, const State& state, double h, State& next,
                                StageSolver& solver, StepStatistics& statistics,
                                Wrenches* wrenches) {
  Stage stage = make_backward_euler_stage(model, state, h, next.activations);
  stage.time = next.time;  // exactly, where state.time + h is rounded
  // Free tissue flies on; tissue whose ends move goes with them.
  std::optional<Vectors> resting;
  if (!carry_nodes(model, state.time, next.time, next.positions)) {
    next.positions = stage.target;
    resting = find_resting_guess(model, stage.time, state.positions);
  }
  const StageResult result = solve(model, stage, state.positions, next.positions, solver,
                                   statistics, resting ? &*resting : nullptr);
  if (wrenches != nullptr) solver.add_wrenches(stage, next.positions, 1, *wrenches);
  next.velocities = combine(1 / h, next.positions, -1 / h, state.positions);
  return result;
}

// Equations (4) and (5): the trapezoidal rule to t + g h, then BDF2 to t + h, both with the same
// matrix.
// `retry`: a step that does not converge is thrown away, so that its second stage is not needed.
StageResult step_tr_bdf2(const Model& model, const State& state, double h, bool retry, State& next,
                         StageSolver& solver, StepStatistics& statistics) {
  const double g = 2 - std::sqrt(2.0);
  const double k = 0.5 * g * h;
  Stage stage;
  stage.inertia = 1 / (k * k);
  stage.acceleration = compute_accelerations(model, state);
  stage.velocity_rate = 1 / k;

  std::vector<double> activations = state.activations;
  advance_activations(model, state.time, g * h, activations);
  stage.time = state.time + g * h;
  stage.input = make_moving_input(model, state, stage.time, activations, Continuation::kEnergy);
  stage.velocity_origin = combine(1, state.positions, k, state.velocities);
  stage.target = combine(1, stage.velocity_origin, k, state.velocities);
  Vectors middle = stage.target;
  for (std::size_t n = 0; n < stage.target.size(); ++n) {
    stage.target[n] += state.accelerations[n] * (k * k);
  }
  std::optional<Vectors> resting = find_resting_guess(model, stage.time, state.positions);
  const StageResult first = solve(model, stage, state.positions, middle, solver, statistics,
                                  resting ? &*resting : nullptr);
  if (!first.finite || (retry && !first.converged)) return first;
  const Vectors middle_velocities = combine(1 / k, middle, -1 / k, stage.velocity_origin);

  const double a = 1 / (g * (2 - g));
  const double b = (1 - g) * (1 - g) / (g * (2 - g));
  stage.time = next.time;
  stage.input = make_moving_input(model, state, next.time, next.activations, Continuation::kEnergy);
  stage.velocity_origin = combine(a, middle, -b, state.positions);
  const Vectors drift = combine(a, middle_velocities, -b, state.velocities);
  stage.target = combine(1, stage.velocity_origin, k, drift);
  next.positions = combine(1, middle, (1 - g) * h, middle_velocities);
  resting = find_resting_guess(model, stage.time, middle);
  const StageResult second = solve(model, stage, middle, next.positions, solver, statistics,
                                   resting ? &*resting : nullptr);
  next.velocities = combine(1 / k, next.positions, -1 / k, stage.velocity_origin);
  // What the second stage balanced, rather than forces evaluated anew: a solve that stopped early
  // leaves small errors of position, which stiff modes would turn into large forces.
  next.accelerations = combine(1 / k, next.velocities, -1 / k, drift);
  return {first.converged && second.converged, second.finite};
}

// What the last step did beside carrying the tissue with its bones is done once more: the bones'
// turn is followed exactly, bulging linearly. The last step is taken to have been as long as this
// one.
void add_last_shift(const Model& model, const State& state, double h, Vectors& positions) {
  Vectors carried = combine(1, state.positions, -h, state.velocities);
  carry_nodes(model, state.time - h, state.time, carried);
  for (std::size_t n = 0; n < carried.size(); ++n) positions[n] += state.positions[n] - carried[n];
}

// Equation (2): balance of forces at the end of the step, without inertia.
StageResult step_quasi_static(const Model& model, const State& state, double h, State& next,
                              StageSolver& solver, StepStatistics& statistics, Wrenches* wrenches) {
  Stage stage;
  stage.time = next.time;
  stage.acceleration = compute_accelerations(model, state);
  stage.input = make_moving_input(model, state, next.time, next.activations, Continuation::kEnergy);
  stage.target = stage.velocity_origin = state.positions;
  carry_nodes(model, state.time, next.time, next.positions);
  Vectors onwards = next.positions;
  add_last_shift(model, state, h, onwards);
  move_held_nodes(model, stage.time, onwards);
  const StageResult result =
      solve(model, stage, state.positions, next.positions, solver, statistics, &onwards);
  if (wrenches != nullptr) solver.add_wrenches(stage, next.positions, 1, *wrenches);
  next.velocities = combine(1 / h, next.positions, -1 / h, state.positions);
  return result;
}

StageResult try_step(const Model& model, const State& state, double h, double end, bool retry,
                     State& next, StageSolver& solver, StepStatistics& statistics,
                     Wrenches* wrenches) {
  next = state;
  next.time = end;
  advance_activations(model, state.time, h, next.activations);
  switch (model.step.integrator) {
    case Integrator::kBackwardEuler:
      return step_backward_euler(model, state, h, next, solver, statistics, wrenches);
    case Integrator::kQuasiStatic:
      return step_quasi_static(model, state, h, next, solver, statistics, wrenches);
    default:
      return step_tr_bdf2(model, state, h, retry, next, solver, statistics);
  }
}

void add_mean(const Wrenches& step, double weight, Wrenches& mean) {
  for (std::size_t b = 0; b < mean.size(); ++b) {
    mean[b].force += weight * step[b].force;
    mean[b].torque += weight * step[b].torque;
  }
}

// The accelerations at the start of a run, which TR-BDF2 goes on from.
void find_first_accelerations(const Model& model, State& state, StageSolver& solver) {
  if (model.step.integrator != Integrator::kTrBdf2 || !state.accelerations.empty()) return;
  Stage stage;
  stage.time = state.time;
  stage.acceleration = compute_accelerations(model, state);
  stage.target = stage.velocity_origin = state.positions;
  stage.input =
      make_moving_input(model, state, state.time, state.activations, Continuation::kEnergy);
  solver.compute_accelerations(stage, state.positions, state.positions, state.accelerations);
}

}  // namespace

// x = x_n + h v_n + h^2 a.
Stage make_backward_euler_stage(const Model& model, const State& state, double h,
                                const std::vector<double>& activations) {
  Stage stage;
  stage.time = state.time + h;
  stage.inertia = 1 / (h * h);
  stage.target = combine(1, state.positions, h, state.velocities);
  stage.acceleration = compute_accelerations(model, state);
  stage.velocity_rate = 1 / h;
  stage.velocity_origin = state.positions;
  stage.input = make_moving_input(model, state, stage.time, activations, Continuation::kEnergy);
  return stage;
}

void advance_implicit(const Model& model, double time, State& state, StageSolver& solver,
                      StepStatistics& statistics, Wrenches* wrenches) {
  find_first_accelerations(model, state, solver);
  const double duration = time - state.time;
  if (wrenches != nullptr) wrenches->assign(model.world.bones.names.size(), {});
  State next;
  const double longest = std::min(model.step.step, duration);
  double wanted = longest;
  bool shorter_helps = true;
  while (state.time < time) {
    const double remaining = time - state.time;
    const double parts = std::ceil(remaining / wanted * (1 - 1e-9));
    const double h = remaining / parts;
    const double end = parts <= 1 ? time : state.time + h;
    const bool retry = shorter_helps && h > kLeastPart * longest * (1 + 1e-9);
    Wrenches step_wrenches(model.world.bones.names.size());
    const StageResult result = try_step(model, state, h, end, retry, next, solver, statistics,
                                        wrenches != nullptr ? &step_wrenches : nullptr);
    if (!result.converged && retry) {
      wanted = 0.5 * h;
      ++state.halvings;
      ++statistics.halvings;
      continue;
    }
    if (!result.finite) {
      throw engine::StepFailure(
          fmt::format("at {:.6g} s no implicit step finds finite positions; a smaller solver.step "
                      "or a coarser resolution may help",
                      state.time));
    }
    if (!result.converged) ++statistics.unconverged;
    if (wrenches != nullptr) add_mean(step_wrenches, h / duration, *wrenches);
    next.halvings = state.halvings;
    std::swap(state, next);
    ++state.steps;
    ++statistics.steps;
    statistics.shortest_step =
        statistics.shortest_step > 0 ? std::min(statistics.shortest_step, h) : h;
    // Tries a longer step again, but not where even this one did not converge. Without inertia a
    // shorter step ends at the same place: where the shortest did not help, the rest is not cut.
    if (result.converged) wanted = std::min(longest, 2 * wanted);
    if (!result.converged && model.step.integrator == Integrator::kQuasiStatic) {
      shorter_helps = false;
      wanted = longest;
    }
  }
}

}  // namespace sinew::tet
