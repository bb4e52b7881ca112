#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/multibody.h"
#include "sinew/skeleton/multibody_core.h"

namespace sinew::skeleton {
namespace {

// A stop counts as touched when a coordinate is this near (rad or m) and has no rate to speak of,
// and as reached by a step that ends less than kLanded beyond it.
constexpr double kTouching = 1e-12;
constexpr double kLanded = 1e-9;
// Of a call's time: below this a step is lost in rounding.
constexpr double kSmallestStep = 1e-13;

// Dormand and Prince (1980), orders 5 and 4: nodes, stages, and the two results' difference.
constexpr std::size_t kStages = 7;
constexpr std::array<double, kStages> kNodes{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr std::array<std::array<double, 6>, kStages> kWeights{
    {{},
     {1. / 5},
     {3. / 40, 9. / 40},
     {44. / 45, -56. / 15, 32. / 9},
     {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
constexpr std::array<double, kStages> kErrors{71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                              -17253. / 339200, 22. / 525, -1. / 40};

struct Range {
  double low, high;
};

struct Trial {
  MultibodyState state;
  double error;  // 1 is the tolerance
};

class Integrator {
 public:
  Integrator(MultibodyCore& core, const AdvanceSettings& settings, MultibodyState& state)
      : core_(core), settings_(settings), state_(state) {
    std::vector<std::size_t> held;
    held.reserve(settings.prescribed.size());
    for (const PrescribedMotion& one : settings.prescribed) held.push_back(one.coordinate);
    free_ = core.free_coordinates(held);
    ranges_.reserve(free_.size());
    for (const std::size_t i : free_) {
      const Coordinate& c = core.coordinates[i];
      const double infinite = INFINITY;
      ranges_.push_back(
          c.clamped ? Range{std::min(c.range[0], state.q[i]), std::max(c.range[1], state.q[i])}
                    : Range{-infinite, infinite});
    }
    settle(state_, state_.time);
    meet_constraints();
  }

  AdvanceReport run(double dt) {
    const double start = state_.time;
    double done = 0, step = dt;
    while (done < dt) {
      if (report_.num_steps == settings_.max_steps || step < kSmallestStep * dt) {
        report_.finished = false;
        return report_;
      }
      ++report_.num_steps;
      const bool last = done + step >= dt * (1 - 1e-12);
      const double size = last ? dt - done : step;
      const double end = last ? start + dt : start + done + size;
      const std::vector<Stop> stops = touched_stops();
      Trial trial = try_step(size, end, stops);
      if (trial.error > 1) {
        step = size * std::max(0.2, 0.9 * std::pow(trial.error, -0.2));
        continue;
      }
      const double growth = 0.9 * std::pow(std::max(trial.error, 1e-8), -0.2);
      const double reached = overshoot(trial.state, stops) > kLanded
                                 ? land(size, start + done, stops, trial.state)
                                 : size;
      const bool finishes = last && reached == size;
      done = finishes ? dt : done + reached;
      step = size * std::min(5.0, growth);
      state_ = std::move(trial.state);
      state_.time = finishes ? start + dt : start + done;
      meet_constraints();
    }
    return report_;
  }

 private:
  // Prescribed and coupled coordinates at a time; locked ones have no rate.
  void settle(MultibodyState& state, double time) const {
    state.time = time;
    for (std::size_t i = 0; i < core_.coordinates.size(); ++i)
      if (core_.coordinates[i].locked || core_.mobility_of[i] == kNone) state.u[i] = 0;
    for (const PrescribedMotion& one : settings_.prescribed) {
      const FunctionValue value = one.motion(time);
      state.q[one.coordinate] = value.value;
      state.u[one.coordinate] = value.first;
    }
    core_.apply_couplers(state.q, state.u);
  }

  Independent make_independent(const MultibodyState& state) const {
    std::vector<double> held_udot(state.q.size(), 0);
    for (const PrescribedMotion& one : settings_.prescribed)
      held_udot[one.coordinate] = one.motion(state.time).second;
    return core_.make_independent(free_, state.q, state.u, held_udot);
  }

  std::vector<double> accelerate(const MultibodyState& state, const std::vector<Stop>& stops) {
    AppliedForces forces;
    if (settings_.forces) settings_.forces(state, forces);
    SINEW_CHECK(forces.generalized.empty() || forces.generalized.size() == state.q.size(),
                "generalised forces of all coordinates or of none");
    core_.set_pose(state.q, state.u);
    std::vector<double> out = core_.solve_accelerations(make_independent(state), forces, stops);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!std::isfinite(out[i]))
        throw std::invalid_argument(
            fmt::format("the acceleration of coordinate '{}' at {} s is {}; look at the forces",
                        core_.coordinates[i].name, state.time, out[i]));
    return out;
  }

  // Equation (40).
  Trial try_step(double size, double end, const std::vector<Stop>& stops) {
    std::array<std::vector<double>, kStages> rates, accelerations;
    Trial out{state_, 0};
    for (std::size_t s = 0; s < kStages; ++s) {
      MultibodyState stage = state_;
      for (const std::size_t i : free_)
        for (std::size_t r = 0; r < s; ++r) {
          stage.q[i] += size * kWeights[s][r] * rates[r][i];
          stage.u[i] += size * kWeights[s][r] * accelerations[r][i];
        }
      settle(stage, kNodes[s] == 1 ? end : state_.time + kNodes[s] * size);
      accelerations[s] = accelerate(stage, stops);
      rates[s] = stage.u;
      if (s + 1 == kStages) out.state = std::move(stage);
    }
    for (const std::size_t i : free_) {
      double of_q = 0, of_u = 0;
      for (std::size_t s = 0; s < kStages; ++s) {
        of_q += size * kErrors[s] * rates[s][i];
        of_u += size * kErrors[s] * accelerations[s][i];
      }
      const double error = std::max(std::abs(of_q) / (1 + std::abs(out.state.q[i])),
                                    std::abs(of_u) / (1 + std::abs(out.state.u[i])));
      // Differences of huge numbers are as bad as a huge one.
      out.error = std::isfinite(error) ? std::max(out.error, error / settings_.tolerance) : 1e10;
    }
    return out;
  }

  // How far, at most, a coordinate is beyond a stop that it did not touch before; negative within.
  double overshoot(const MultibodyState& state, const std::vector<Stop>& touched) const {
    double out = -INFINITY;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const bool rests = std::any_of(touched.begin(), touched.end(),
                                     [&](const Stop& stop) { return stop.free_index == k; });
      const double q = state.q[free_[k]];
      if (!rests) out = std::max({out, ranges_[k].low - q, q - ranges_[k].high});
    }
    return out;
  }

  // The part of a step after which a stop is reached: halving, or the chord where it is safe.
  double land(double size, double start, const std::vector<Stop>& stops, MultibodyState& out) {
    constexpr int kMaxRounds = 100;
    double inside = 0, beyond = size;
    double inside_value = overshoot(state_, stops), beyond_value = overshoot(out, stops);
    for (int round = 0; round < kMaxRounds && beyond_value > kLanded; ++round) {
      const bool chord = round % 2 == 0 && inside_value < 0 && std::isfinite(inside_value);
      // Aims at the middle of what counts as landed, so that the end is approached from beyond.
      const double part =
          chord ? (kLanded / 2 - inside_value) / (beyond_value - inside_value) : 0.5;
      const double middle = inside + part * (beyond - inside);
      if (middle <= inside || middle >= beyond) break;
      Trial trial = try_step(middle, start + middle, stops);
      const double value = overshoot(trial.state, stops);
      if (value < 0) {
        inside = middle, inside_value = value;
      } else {
        beyond = middle, beyond_value = value;
        out = std::move(trial.state);
      }
    }
    return beyond;
  }

  // Stops that free coordinates rest against.
  std::vector<Stop> touched_stops() const {
    std::vector<Stop> out;
    for (const Stop& stop : reached_stops())
      if (stop.side * state_.u[free_[stop.free_index]] <= 0) out.push_back(stop);
    return out;
  }
  std::vector<Stop> reached_stops() const {
    std::vector<Stop> out;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double q = state_.q[free_[k]];
      if (q <= ranges_[k].low + kTouching) out.push_back({k, 1});
      if (q >= ranges_[k].high - kTouching) out.push_back({k, -1});
    }
    return out;
  }

  // Puts coordinates on the stops they have reached, closes gaps of points, and takes away rates
  // that stops and points do not allow.
  void meet_constraints() {
    for (std::size_t k = 0; k < free_.size(); ++k) {
      double& q = state_.q[free_[k]];
      q = std::clamp(q, ranges_[k].low, ranges_[k].high);
      if (q - ranges_[k].low < kTouching) q = ranges_[k].low;
      if (ranges_[k].high - q < kTouching) q = ranges_[k].high;
    }
    core_.apply_couplers(state_.q, state_.u);
    if (!core_.constraints.empty()) core_.close_gaps(free_, state_.q);
    const std::vector<Stop> stops = reached_stops();
    const bool hits = std::any_of(stops.begin(), stops.end(), [&](const Stop& stop) {
      return stop.side * state_.u[free_[stop.free_index]] < -kTouching;
    });
    report_.num_impacts += hits ? 1 : 0;
    if (hits || !core_.constraints.empty()) {
      core_.set_pose(state_.q, state_.u);
      state_.u = core_.solve_rates(make_independent(state_), state_.u, {}, stops);
    }
    for (const Stop& stop : stops) {
      double& u = state_.u[free_[stop.free_index]];
      if (std::abs(u) < kTouching) u = 0;
    }
    core_.apply_couplers(state_.q, state_.u);
  }

  MultibodyCore& core_;
  const AdvanceSettings& settings_;
  MultibodyState& state_;
  AdvanceReport report_;
  std::vector<std::size_t> free_;
  std::vector<Range> ranges_;  // of the free coordinates
};

}  // namespace

AdvanceReport Multibody::advance(MultibodyState& state, double dt,
                                 const AdvanceSettings& settings) {
  SINEW_CHECK(state.q.size() == core_->coordinates.size() && state.u.size() == state.q.size(),
              "a state has as many entries as the skeleton has coordinates");
  SINEW_CHECK(dt > 0, "time goes forward");
  return Integrator(*core_, settings, state).run(dt);
}

void Multibody::apply_impulse(MultibodyState& state, const Load& impulse,
                              const std::vector<std::size_t>& held) {
  const std::vector<double> still(state.q.size(), 0);
  core_->set_pose(state.q, still);
  std::vector<double> generalized = core_->residual(still, {impulse}, false);
  for (double& one : generalized) one = -one;
  const auto free = core_->free_coordinates(held);
  const Independent independent = core_->make_independent(free, state.q, state.u, still);
  std::vector<Stop> stops;
  for (std::size_t k = 0; k < free.size(); ++k) {
    const Coordinate& coordinate = core_->coordinates[free[k]];
    if (!coordinate.clamped) continue;
    if (state.q[free[k]] <= coordinate.range[0] + kTouching) stops.push_back({k, 1});
    if (state.q[free[k]] >= coordinate.range[1] - kTouching) stops.push_back({k, -1});
  }
  state.u = core_->solve_rates(independent, state.u, generalized, stops);
}

double Multibody::project(MultibodyState& state) {
  core_->apply_couplers(state.q, state.u);
  const auto free = core_->free_coordinates({});
  const double gap = core_->close_gaps(free, state.q);
  const std::vector<double> still(state.q.size(), 0);
  core_->set_pose(state.q, state.u);
  if (!core_->constraints.empty())
    state.u =
        core_->solve_rates(core_->make_independent(free, state.q, state.u, still), state.u, {}, {});
  return gap;
}

}  // namespace sinew::skeleton
