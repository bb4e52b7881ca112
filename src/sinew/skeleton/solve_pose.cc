#include "sinew/skeleton/solve_pose.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::skeleton {
namespace {

using Vector = std::vector<double>;

// Gaps are springs of this many times the heaviest goal; the multipliers then take away what is
// left, by this factor a step.
constexpr double kGapStiffness = 1e5;
constexpr double kGapTolerance = 1e-6;  // m

double find_gap_weight(const PoseGoals& goals) {
  double most = 0;
  for (const PointGoal& goal : goals.points) most = std::max(most, goal.weight);
  return kGapStiffness * (most > 0 ? most : 1);
}

// Equation (52), twice the augmented cost.
double compute_cost(const PoseRows& rows, const Vector& multipliers, double gap_weight) {
  double cost = sum_of_squares(rows.residuals);
  for (std::size_t i = 0; i < rows.gaps.size(); ++i) {
    const double gap = rows.gaps[i] + multipliers[i] / gap_weight;
    cost += gap_weight * gap * gap;
  }
  return cost;
}

// Goals and gaps as one system, its normal matrix and gradient.
void linearise(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
               const Vector& q, double gap_weight, PoseWorkspace& w) {
  compute_jacobians(skeleton, goals, free, q, w.rows);
  const std::size_t num_rows = w.rows.residuals.size(), columns = free.indices.size();
  const double root = std::sqrt(gap_weight);
  w.right = w.rows.residuals;
  w.right.reserve(num_rows + w.rows.gaps.size());
  w.stacked = w.rows.jacobian;
  w.stacked.rows = num_rows + w.rows.gaps.size();
  w.stacked.values.resize(w.stacked.rows * columns);
  for (std::size_t i = 0; i < w.rows.gaps.size(); ++i) {
    w.right.push_back(root * (w.rows.gaps[i] + w.multipliers[i] / gap_weight));
    for (std::size_t k = 0; k < columns; ++k)
      w.stacked(num_rows + i, k) = root * w.rows.gap_jacobian(i, k);
  }
  compute_normal_matrix(w.stacked, w.normal);
  multiply_transposed(w.stacked, w.right, w.gradient);
}

// Equation (53): the damped step within the ranges. Returns the decrease it promises of (52).
double compute_step(const FreeCoordinates& free, const Vector& q, double damping,
                    PoseWorkspace& w) {
  const std::size_t n = free.indices.size();
  double most = 0;
  for (std::size_t k = 0; k < n; ++k) most = std::max(most, w.normal(k, k));
  w.damped = w.normal;
  w.low.resize(n);
  w.high.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    // A coordinate without effect here has a zero on the diagonal: the floor keeps it in place.
    w.damped(k, k) += damping * w.normal(k, k) + 1e-13 * most;
    const double x = q[free.indices[k]];
    w.low[k] = std::min(free.low[k] - x, 0.0);
    w.high[k] = std::max(free.high[k] - x, 0.0);
  }
  if (!(most > 0) || !minimize_in_box(w.damped, w.gradient, w.low, w.high, w.box, w.step)) {
    w.step.assign(n, 0);
    return 0;
  }
  double promise = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double curved = 0;
    for (std::size_t j = 0; j < n; ++j) curved += w.normal(i, j) * w.step[j];
    promise -= w.step[i] * (2 * w.gradient[i] + curved);
  }
  return promise;
}

void move(const Skeleton& skeleton, const FreeCoordinates& free, const Vector& step, Vector& q) {
  for (std::size_t k = 0; k < step.size(); ++k) {
    double& x = q[free.indices[k]];
    x = std::max(free.low[k], std::min(free.high[k], x + step[k]));
  }
  apply_couplers(skeleton, q);
}

// Equation (55). Gaps that cannot close would make the multipliers grow without end.
void update_multipliers(const PoseRows& rows, double gap_weight, Vector& multipliers) {
  for (std::size_t i = 0; i < multipliers.size(); ++i) multipliers[i] += gap_weight * rows.gaps[i];
}

struct Damping {
  double value = 1e-6;
  double growth = 2;

  void accept(double gain) {  // equation (54)
    const double bent = 2 * gain - 1;
    value = std::max(value * std::max(0.1, 1 - bent * bent * bent), 1e-14);
    growth = 2;
  }
  void refuse() {
    value = std::max(value, 1e-8) * growth;
    growth *= 2;
  }
};

// A pose on its way down.
struct Descent {
  double gap_weight;
  double cost = 0;      // equation (52)
  bool linear = false;  // the workspace has the derivatives of this pose
  Damping damping = {};
};

// Tries one step; takes it where the cost does not grow. Returns the largest change it asked for.
double try_step(const Skeleton& skeleton, const PoseGoals& goals, const FreeCoordinates& free,
                Descent& descent, Vector& q, PoseWorkspace& w) {
  if (!descent.linear) linearise(skeleton, goals, free, q, descent.gap_weight, w);
  const double promise = compute_step(free, q, descent.damping.value, w);
  w.trial_q = q;
  move(skeleton, free, w.step, w.trial_q);
  compute_residuals(skeleton, goals, w.trial_q, w.trial_rows);
  const double trial_cost = compute_cost(w.trial_rows, w.multipliers, descent.gap_weight);
  const bool taken = trial_cost <= descent.cost && promise > 0;
  descent.linear = !taken;
  if (!taken) {
    descent.damping.refuse();
    return largest_entry(w.step);
  }
  descent.damping.accept((descent.cost - trial_cost) / promise);
  std::swap(q, w.trial_q);
  std::swap(w.rows, w.trial_rows);
  update_multipliers(w.rows, descent.gap_weight, w.multipliers);
  descent.cost = compute_cost(w.rows, w.multipliers, descent.gap_weight);
  return largest_entry(w.step);
}

}  // namespace

PoseSolution solve_pose(const Skeleton& skeleton, const PoseGoals& goals,
                        const FreeCoordinates& free, const Vector& start,
                        const PoseSettings& settings, PoseWorkspace& w) {
  constexpr double kMostDamping = 1e12;  // nothing helps any more
  PoseSolution out;
  out.q = start;
  w.step.assign(free.indices.size(), 0);
  move(skeleton, free, w.step, out.q);
  compute_residuals(skeleton, goals, out.q, w.rows);
  if (w.multipliers.size() != w.rows.gaps.size()) w.multipliers.assign(w.rows.gaps.size(), 0);
  Descent descent{find_gap_weight(goals)};
  descent.cost = compute_cost(w.rows, w.multipliers, descent.gap_weight);
  while (out.iterations < settings.max_iterations && !out.converged &&
         descent.damping.value < kMostDamping) {
    ++out.iterations;
    const double change = try_step(skeleton, goals, free, descent, out.q, w);
    out.converged = change < settings.accuracy && largest_entry(w.rows.gaps) < kGapTolerance;
  }
  out.cost = sum_of_squares(w.rows.residuals);
  out.largest_gap = largest_entry(w.rows.gaps);
  if (!out.converged) w.multipliers.clear();
  return out;
}

}  // namespace sinew::skeleton
