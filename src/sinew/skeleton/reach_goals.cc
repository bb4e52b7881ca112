#include "sinew/skeleton/reach_goals.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// Of goals and gaps in the pose q; fills the residuals too.
DenseMatrix compute_jacobian(const Problem& problem, const Vector& q, PoseRows& rows) {
  compute_residuals(problem.skeleton, problem.goals, q, rows);
  compute_jacobians(problem.skeleton, problem.goals, problem.free, q, rows);
  DenseMatrix whole = rows.jacobian;
  whole.rows += rows.gap_jacobian.rows;
  whole.values.insert(whole.values.end(), rows.gap_jacobian.values.begin(),
                      rows.gap_jacobian.values.end());
  return whole;
}

PseudoInverse invert(const Problem& problem, const Vector& q, PoseRows& rows) {
  return make_pseudo_inverse(compute_jacobian(problem, q, rows), kCut);
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

// Minus the gradient of the secondary goal, and its second derivatives, of each free coordinate.
struct Wish {
  Vector downhill, curvature;
};
Wish compute_wish(const Problem& problem, const Vector& q, const PoseRows& rows) {
  Wish wish{Vector(problem.free.indices.size(), 0), Vector(problem.free.indices.size(), 0)};
  for (const CoordinateGoal& goal : problem.secondary) {
    const std::size_t k = problem.free.driver[goal.coordinate];
    if (k == kNone) continue;
    const double slope = rows.slopes[goal.coordinate];
    wish.downhill[k] += goal.weight * (goal.value - q[goal.coordinate]) * slope;
    wish.curvature[k] += goal.weight * slope * slope;
  }
  return wish;
}

// Equation (57): downhill for the secondary goal, as far as the goals do not see it; each
// coordinate in the unit that gives it the curvature 1, so that stiff and loose ones settle alike.
Vector compute_way(const Problem& problem, const Vector& q, PoseRows& rows) {
  DenseMatrix jacobian = compute_jacobian(problem, q, rows);
  const Wish wish = compute_wish(problem, q, rows);
  double least = std::numeric_limits<double>::infinity();
  for (const double c : wish.curvature)
    if (c > 0) least = std::min(least, c);
  Vector way = wish.downhill;
  if (!std::isfinite(least)) return way;  // nothing is wished
  Vector unit;
  for (const double c : wish.curvature) unit.push_back(1 / std::sqrt(c > 0 ? c : least));
  for (std::size_t k = 0; k < way.size(); ++k) {
    way[k] *= unit[k];
    for (std::size_t row = 0; row < jacobian.rows; ++row) jacobian(row, k) *= unit[k];
  }
  way = project_to_null_space(make_pseudo_inverse(jacobian, kCut), way);
  for (std::size_t k = 0; k < way.size(); ++k) way[k] *= unit[k];
  return way;
}

FreeCoordinates find_free_for_both(const Skeleton& skeleton, PoseGoals goals,
                                   const std::vector<CoordinateGoal>& secondary) {
  goals.coordinates.insert(goals.coordinates.end(), secondary.begin(), secondary.end());
  return find_free_coordinates(skeleton, goals);
}

// Equation (58): a step of this way, then back to the goals; kept where it pays. Returns whether
// the step has become too small to matter.
bool follow_wish(const Problem& problem, const PoseSettings& settings, double error, Vector& q,
                 PoseRows& rows, PoseSolution& report) {
  double cost = compute_cost(problem.secondary, q), fraction = 1;
  Vector way = compute_way(problem, q, rows);
  const double slack = 1e-6 * error + settings.accuracy * settings.accuracy;
  bool settled = largest_entry(way) < settings.accuracy;
  for (int n = 0; !settled && n < settings.max_iterations; ++n) {
    const double reach = largest_entry(way) * fraction;
    if (reach > kLongestStep) fraction *= kLongestStep / reach;
    Vector trial = moved(problem, q, way, fraction);
    PoseSolution attempt = report;
    const double trial_error = correct(problem, settings, trial, rows, attempt);
    report.iterations = attempt.iterations;
    const double trial_cost = compute_cost(problem.secondary, trial);
    const bool pays = trial_cost < cost && trial_error <= error + slack;
    fraction = pays ? std::min(1.0, 1.5 * fraction) : 0.5 * fraction;
    if (pays) {
      q = trial;
      cost = trial_cost;
      way = compute_way(problem, q, rows);
    }
    settled = largest_entry(way) * fraction < settings.accuracy;
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
  out.secondary = compute_cost(problem.secondary, q);
  const PseudoInverse inverse = invert(problem, q, rows);
  out.secondary_slope =
      largest_entry(project_to_null_space(inverse, compute_wish(problem, q, rows).downhill));
  out.pose.cost = sum_of_squares(rows.residuals);
  out.pose.largest_gap = largest_entry(rows.gaps);
  out.pose.q = std::move(q);
  return out;
}

}  // namespace sinew::skeleton
