#include "sinew/skeleton/reach_goals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/skeleton/pseudo_inverse.h"

namespace sinew::skeleton {
namespace {

using Vector = std::vector<double>;

constexpr double kCut = 1e-9;         // of singular values: below, a direction is out of reach
constexpr double kLongestStep = 0.5;  // rad or m of any coordinate: the Jacobian holds nearby only
constexpr double kLeastDamping = 1e-9, kMostDamping = 1e9;  // of the largest squared singular value

struct Problem {
  const Skeleton& skeleton;
  const PoseGoals& goals;
  const std::vector<CoordinateGoal>& secondary;
  FreeCoordinates free;
};

// Residuals of goals, then gaps: both come first.
Vector stack(const PoseRows& rows) {
  Vector out = rows.residuals;
  out.insert(out.end(), rows.gaps.begin(), rows.gaps.end());
  return out;
}

double squared_error(const Problem& problem, const Vector& q, PoseRows& rows) {
  compute_residuals(problem.skeleton, problem.goals, q, rows);
  return sum_of_squares(rows.residuals) + sum_of_squares(rows.gaps);
}

PseudoInverse invert(const Problem& problem, const Vector& q, PoseRows& rows) {
  compute_residuals(problem.skeleton, problem.goals, q, rows);
  compute_jacobians(problem.skeleton, problem.goals, problem.free, q, rows);
  DenseMatrix whole = rows.jacobian;
  whole.rows += rows.gap_jacobian.rows;
  whole.values.insert(whole.values.end(), rows.gap_jacobian.values.begin(),
                      rows.gap_jacobian.values.end());
  return make_pseudo_inverse(whole, kCut);
}

Vector moved(const Problem& problem, const Vector& q, const Vector& step, double fraction) {
  Vector out = q;
  for (std::size_t k = 0; k < step.size(); ++k) out[problem.free.indices[k]] += fraction * step[k];
  apply_couplers(problem.skeleton, out);
  return out;
}

// Equation (56): steps -J^+ r. One that does not help is tried again with damping, which turns it
// away from what is nearly out of reach. Returns the squared error.
double correct(const Problem& problem, const PoseSettings& settings, Vector& q, PoseRows& rows,
               PoseSolution& report) {
  double error = squared_error(problem, q, rows), damping = 0;
  PseudoInverse inverse = invert(problem, q, rows);
  Vector residuals = stack(rows);
  report.converged = false;
  for (int n = 0; n < settings.max_iterations && !report.converged; ++n) {
    ++report.iterations;
    const double scale = *std::max_element(inverse.squares.begin(), inverse.squares.end());
    const Vector step = solve_least_squares(inverse, residuals, damping * scale);
    const double size = largest_entry(step);
    const Vector trial = moved(problem, q, step, -std::min(1.0, kLongestStep / (size + 1e-300)));
    const double trial_error = squared_error(problem, trial, rows);
    // Rounding hides the last steps in the error: it may stay as it is.
    report.converged = size < settings.accuracy || damping > kMostDamping;
    if (trial_error < error) {
      q = trial;
      error = trial_error;
      damping = damping > kLeastDamping ? damping / 8 : 0;
      inverse = invert(problem, q, rows);
      residuals = stack(rows);
    } else {
      damping = std::max(3 * damping, kLeastDamping);
    }
  }
  return error;
}

double secondary_cost(const Problem& problem, const Vector& q) {
  double sum = 0;
  for (const CoordinateGoal& goal : problem.secondary) {
    const double off = q[goal.coordinate] - goal.value;
    sum += goal.weight * off * off;
  }
  return sum;
}

// Equation (57): downhill for the secondary goal, as far as the goals do not see it.
Vector compute_wish(const Problem& problem, const Vector& q, PoseRows& rows) {
  const PseudoInverse inverse = invert(problem, q, rows);
  Vector wish(problem.free.indices.size(), 0);
  for (const CoordinateGoal& goal : problem.secondary) {
    const std::size_t k = problem.free.driver[goal.coordinate];
    if (k == kNone) continue;
    wish[k] += goal.weight * (goal.value - q[goal.coordinate]) * rows.slopes[goal.coordinate];
  }
  return project_to_null_space(inverse, wish);
}

FreeCoordinates find_free_for_both(const Skeleton& skeleton, PoseGoals goals,
                                   const std::vector<CoordinateGoal>& secondary) {
  goals.coordinates.insert(goals.coordinates.end(), secondary.begin(), secondary.end());
  return find_free_coordinates(skeleton, goals);
}

// Equation (58): a step of the wish, then back to the goals; kept where it pays. Returns whether
// the wish has become too small to matter.
bool follow_wish(const Problem& problem, const PoseSettings& settings, double error, Vector& q,
                 PoseRows& rows, PoseSolution& report) {
  double cost = secondary_cost(problem, q), fraction = 1;
  Vector wish = compute_wish(problem, q, rows);
  const double slack = 1e-6 * error + settings.accuracy * settings.accuracy;
  bool settled = largest_entry(wish) < settings.accuracy;
  for (int n = 0; !settled && n < settings.max_iterations; ++n) {
    const double reach = largest_entry(wish) * fraction;
    if (reach > kLongestStep) fraction *= kLongestStep / reach;
    Vector trial = moved(problem, q, wish, fraction);
    PoseSolution attempt = report;
    const double trial_error = correct(problem, settings, trial, rows, attempt);
    report.iterations = attempt.iterations;
    const double trial_cost = secondary_cost(problem, trial);
    const bool pays = trial_cost < cost && trial_error <= error + slack;
    fraction *= pays ? 1.5 : 0.5;
    if (pays) {
      q = trial;
      cost = trial_cost;
      wish = compute_wish(problem, q, rows);
    }
    settled = largest_entry(wish) * std::min(fraction, 1.0) < settings.accuracy;
  }
  return settled;
}

}  // namespace

std::vector<CoordinateGoal> make_middle_goals(const Skeleton& skeleton) {
  constexpr double kNoRange = 1e6;  // ranges that files leave out are much wider
  std::vector<CoordinateGoal> out;
  for (std::size_t c = 0; c < skeleton.coordinates.size(); ++c) {
    const auto [low, high] = skeleton.coordinates[c].range;
    const double half = 0.5 * (high - low);
    if (!(half > 0) || half > kNoRange) continue;
    out.push_back({c, 0.5 * (low + high), 1 / (half * half)});
  }
  return out;
}

ReachSolution reach_goals(const Skeleton& skeleton, const PoseGoals& goals,
                          const std::vector<CoordinateGoal>& secondary, const Vector& start,
                          const PoseSettings& settings) {
  const Problem problem{skeleton, goals, secondary, find_free_for_both(skeleton, goals, secondary)};
  PoseRows rows;
  ReachSolution out;
  Vector q = moved(problem, start, {}, 0);
  const double error = correct(problem, settings, q, rows, out.pose);
  const bool settled = follow_wish(problem, settings, error, q, rows, out.pose);
  out.pose.converged = out.pose.converged && settled;
  out.secondary = secondary_cost(problem, q);
  out.secondary_slope = largest_entry(compute_wish(problem, q, rows));
  out.pose.cost = sum_of_squares(rows.residuals);
  out.pose.largest_gap = largest_entry(rows.gaps);
  out.pose.q = std::move(q);
  return out;
}

}  // namespace sinew::skeleton
