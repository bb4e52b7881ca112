#include "sinew/brick/step.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Core>
#include <fmt/format.h>

#include "sinew/brick/large_strain.h"
#include "sinew/core/stopwatch.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/engine/world.h"

namespace sinew::brick {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<Vec3d> find_accelerations(const Model& model, const BodyState& body, double time) {
  if (model.world.fields.empty()) return {model.world.gravity};
  std::vector<Vec3d> out(body.positions.size());
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = compute_acceleration(model.world, time, body.positions[n], body.velocities[n]);
  }
  return out;
}

void advance_activations(const Model& model, double dt, State& state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto& muscle = model.bodies[b].muscle;
    if (!muscle || !muscle->excitation) continue;
    const double wanted = std::clamp(evaluate(*muscle->excitation, state.time + dt), 0.0, 1.0);
    double& a = state.activations[b];
    a = muscle->dynamics ? material::advance(*muscle->dynamics, a, wanted, dt) : wanted;
  }
}

// The rows of one body as a matrix, and where they stand among all.
struct Projection {
  Dense G;                        // (rows of the body x coordinates)
  std::vector<std::size_t> rows;  // index among all
};

Projection project(std::uint32_t body, const BodyDynamics& dynamics, const std::vector<Row>& rows) {
  Projection out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool here = std::any_of(rows[i].terms.begin(), rows[i].terms.end(),
                                  [body](const RowTerm& t) { return t.body == body; });
    if (here) out.rows.push_back(i);
  }
  out.G.setZero(static_cast<Eigen::Index>(out.rows.size()),
                static_cast<Eigen::Index>(dynamics.size()));
  for (std::size_t k = 0; k < out.rows.size(); ++k) {
    const std::span<double> row(out.G.row(static_cast<Eigen::Index>(k)).data(), dynamics.size());
    for (const RowTerm& t : rows[out.rows[k]].terms) {
      if (t.body == body) dynamics.add_projection(t.node, t.direction, row);
    }
  }
  return out;
}

// W += G C G^T and b -= G z.
void add_response(const Projection& p, const BodyDynamics& dynamics, std::size_t count,
                  std::vector<double>& W, std::vector<double>& b) {
  const std::vector<double> S =
      dynamics.compute_response({p.G.data(), static_cast<std::size_t>(p.G.size())}, p.rows.size());
  const std::span<const double> z = dynamics.free_motion();
  const Eigen::Map<const Eigen::VectorXd> free(z.data(), static_cast<Eigen::Index>(z.size()));
  const Eigen::VectorXd Gz = p.G * free;
  for (std::size_t k = 0; k < p.rows.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    b[p.rows[k]] -= Gz[i];
    for (std::size_t l = 0; l <= k; ++l) {
      const double value = S[k * p.rows.size() + l];
      W[p.rows[k] * count + p.rows[l]] += value;
      if (l < k) W[p.rows[l] * count + p.rows[k]] += value;
    }
  }
}

std::vector<double> generalized_forces(const Projection& p, const std::vector<double>& forces) {
  Eigen::VectorXd f(p.G.rows());
  for (std::size_t k = 0; k < p.rows.size(); ++k)
    f[static_cast<Eigen::Index>(k)] = forces[p.rows[k]];
  const Eigen::VectorXd q = p.G.transpose() * f;
  return {q.data(), q.data() + q.size()};
}

bool all_finite(const BodyState& body) {
  return std::all_of(body.positions.begin(), body.positions.end(), is_finite) &&
         std::all_of(body.velocities.begin(), body.velocities.end(), is_finite);
}

// Sums of a tendon's rows, N.
void keep_tensions(const std::vector<MuscleRows>& muscles, const std::vector<std::size_t>& starts,
                   const std::vector<double>& forces, State& state) {
  for (std::size_t b = 0; b < muscles.size(); ++b) {
    const auto& first = muscles[b].first_of_tendon;
    for (std::size_t t = 0; t + 1 < first.size(); ++t) {
      double sum = 0;
      for (std::size_t i = first[t]; i < first[t + 1]; ++i) sum += forces[starts[b] + i];
      state.tensions[b][t] = sum;
    }
  }
}

// Springs across taut strings, two rows each.
void add_cross_rows(std::uint32_t body, const std::vector<CrossSpring>& springs,
                    std::vector<Row>& rows) {
  for (const CrossSpring& spring : springs) {
    const Vec3d t = any_perpendicular(spring.direction);
    for (const Vec3d& across : {t, cross(spring.direction, t)}) {
      Row row;
      row.terms.push_back({body, spring.a, across});
      if (spring.b != kNoNode) row.terms.push_back({body, spring.b, -across});
      set_force({0, spring.stiffness, 0, 0}, 1, row);
      rows.push_back(std::move(row));
    }
  }
}

// Whether the forces of the rows settled.
bool take_step(const Model& model, double dt, State& state, Workspace& ws) {
  advance_activations(model, dt, state);
  std::vector<Row> rows;
  std::vector<MuscleRows> muscles;
  std::vector<std::size_t> starts;
  for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
    BodyDynamics& dynamics = *ws.bodies[b];
    const BodyState& body = state.bodies[b];
    const double horizon = dynamics.horizon(dt);
    muscles.push_back(make_muscle_rows(model, b, body, state.activations[b], state.time, horizon));
    const std::vector<CrossSpring>& springs = muscles.back().springs;
    dynamics.begin(body, find_accelerations(model, body, state.time), dt, springs);
    starts.push_back(rows.size());
    rows.insert(rows.end(), muscles.back().rows.begin(), muscles.back().rows.end());
    if (!dynamics.takes_springs()) add_cross_rows(b, springs, rows);
    for (const Grip& grip : model.grips) {
      if (grip.body == b) add_grip_rows(grip, body, horizon, rows);
    }
    add_contacts(b, model.bodies[b].contact_points, body.positions, body.velocities, model.world,
                 state.time, horizon, model.bodies[b].reach, ws.clearances[b], rows);
  }
  std::vector<double> W(rows.size() * rows.size(), 0.0), right(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    W[i * rows.size() + i] = rows[i].compliance;
    right[i] = rows[i].target;
  }
  std::vector<Projection> projections;
  for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
    projections.push_back(project(b, *ws.bodies[b], rows));
    add_response(projections[b], *ws.bodies[b], rows.size(), W, right);
  }
  const RowSolution solution = solve_rows(rows, std::move(W), right);
  keep_tensions(muscles, starts, solution.forces, state);
  for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
    ws.bodies[b]->finish(generalized_forces(projections[b], solution.forces), state.bodies[b]);
  }
  ws.statistics.rounds += static_cast<std::uint64_t>(solution.rounds);
  ws.statistics.most_rows = std::max(ws.statistics.most_rows, rows.size());
  return solution.settled;
}

// Whether every brick that was not folded before is not so now.
bool all_unfolded(const Model& model, const State& before, const State& now) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].modal) continue;  // small strains know no folds
    for (const BrickIndices& brick : model.bodies[b].mesh.bricks) {
      if (compute_quality(brick, now.bodies[b].positions) > 0) continue;
      if (compute_quality(brick, before.bodies[b].positions) > 0) return false;
    }
  }
  return true;
}

Vec3d find_mean(const std::vector<Vec3d>& values) {
  Vec3d sum{};
  for (const Vec3d& value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Vec3d find_mean_way(const BodyState& before, const BodyState& now) {
  return find_mean(now.positions) - find_mean(before.positions);
}

// The largest way of a node beside the mean way of its body, over what a step may do at most: half
// the edge of the smallest brick. One iteration of Newton's method knows no more than that.
double measure_wildness(const BodyModel& model, const BodyState& before, const BodyState& now) {
  if (model.modal) return 0;
  const Vec3d mean = find_mean_way(before, now);
  double most = 0;
  for (std::size_t n = 0; n < now.positions.size(); ++n) {
    most = std::max(most, norm(now.positions[n] - before.positions[n] - mean));
  }
  return most / (0.5 * model.large->least_edge);
}

// A vector no longer than `limit`; none where it is longer than numbers are.
Vec3d shorten(const Vec3d& v, double limit) {
  const double length = norm(v);
  if (length <= limit) return v;
  return std::isfinite(length) ? v * (limit / length) : Vec3d{};
}

// Where no step is short enough: as far as a step may go, and then at rest but for the mean motion.
// That may change as little: a matrix that is nearly singular throws the body as a whole, too.
void tame(double dt, const BodyModel& model, const BodyState& before, BodyState& now) {
  const double wildness = measure_wildness(model, before, now);
  if (wildness <= 1) return;
  const double limit = 0.5 * model.large->least_edge;
  const Vec3d mean = find_mean_way(before, now);
  const Vec3d old = find_mean(before.velocities) * dt;
  const Vec3d tamed = old + shorten(mean - old, limit);
  for (std::size_t n = 0; n < now.positions.size(); ++n) {
    const Vec3d way = now.positions[n] - before.positions[n] - mean;
    now.positions[n] = before.positions[n] + tamed + shorten(way / wildness, limit);
    now.velocities[n] = tamed / dt;
  }
}

bool is_tame(const Model& model, const State& before, const State& now) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (measure_wildness(model.bodies[b], before.bodies[b], now.bodies[b]) > 1) return false;
  }
  return true;
}

// To exactly `time`, in one step or, where that fails, in two halves, and so on.
void step_to(const Model& model, double time, int depth, State& state, Workspace& workspace) {
  constexpr int kMostHalvings = 6;
  State next = state;
  const double dt = time - state.time;
  const bool settled = take_step(model, dt, next, workspace);
  const bool finite = std::all_of(next.bodies.begin(), next.bodies.end(), all_finite);
  const bool good = finite && all_unfolded(model, state, next) && is_tame(model, state, next);
  if (depth < kMostHalvings && !good) {
    ++workspace.statistics.halvings;
    const double middle = state.time + 0.5 * dt;
    step_to(model, middle, depth + 1, state, workspace);
    step_to(model, time, depth + 1, state, workspace);
    return;
  }
  if (!finite) {
    throw engine::StepFailure(fmt::format(
        "the step at {:.6g} s left numbers that are not finite; a shorter solver.step may help",
        state.time));
  }
  for (std::size_t b = 0; !good && b < model.bodies.size(); ++b) {
    tame(dt, model.bodies[b], state.bodies[b], next.bodies[b]);
  }
  state = std::move(next);
  state.time = time;
  ++state.steps, ++workspace.statistics.steps;
  if (!good) ++workspace.statistics.tamed;
  if (!settled) ++workspace.statistics.unsettled;
}

}  // namespace

Workspace::Workspace(const Model& model) : clearances(model.bodies.size()) {
  for (const BodyModel& body : model.bodies) {
    if (body.modal) {
      bodies.push_back(std::make_unique<ModalBody>(body.modal));
    } else {
      bodies.push_back(std::make_unique<LargeStrainBody>(body.large));
    }
  }
}

void advance(const Model& model, double time, State& state, Workspace& workspace) {
  const Stopwatch watch(workspace.statistics.milliseconds);
  const double whole = time - state.time;
  if (!(whole > 0)) return;
  const auto count = static_cast<std::uint64_t>(std::ceil(whole / model.step - 1e-9));
  const double start = state.time;
  for (std::uint64_t k = 1; k <= count; ++k) {
    const double end =
        k == count ? time : start + whole * static_cast<double>(k) / static_cast<double>(count);
    step_to(model, end, 0, state, workspace);
  }
}

}  // namespace sinew::brick
