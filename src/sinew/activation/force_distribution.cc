#include "sinew/activation/force_distribution.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/skeleton/pseudo_inverse.h"
#include "sinew/solver/active_set_qp.h"

namespace sinew::activation {
namespace {

constexpr int kMaxNewtonSteps = 100;
constexpr double kNewtonTolerance = 1e-10;  // of activations
constexpr double kLeastActivation = 1e-3;   // below which the curvature of a^p counts as constant

// Variables are the activations, then the reserves in their scales.
solver::QpProblem make_program(const PoseDemand& demand, const DistributionSettings& settings) {
  const std::size_t n = demand.lower.size(), m = demand.moments.size();
  solver::QpProblem program{std::vector<double>(n, 2.0),
                            std::vector<double>(n + m, 0.0),
                            solver::DenseMatrix(m, n + m),
                            demand.moments,
                            demand.lower,
                            demand.upper};
  program.H.resize(n + m, 2 * settings.reserve_weight);
  program.lower.resize(n + m, -HUGE_VAL);
  program.upper.resize(n + m, HUGE_VAL);
  for (std::size_t i = 0; i < m; ++i) {
    std::copy(demand.torques.row(i).begin(), demand.torques.row(i).end(), program.A.row(i).begin());
    program.A(i, n + i) = demand.reserve_scales[i];
  }
  return program;
}

// Reserves that make any activations a feasible point.
void fill_reserves(const PoseDemand& demand, std::vector<double>& x) {
  const std::size_t n = demand.lower.size();
  for (std::size_t i = 0; i < demand.moments.size(); ++i) {
    const double supplied = solver::dot(demand.torques.row(i), std::span(x).first(n));
    x[n + i] = (demand.moments[i] - supplied) / demand.reserve_scales[i];
  }
}

double compute_effort(const std::vector<double>& x, std::size_t n,
                      const DistributionSettings& settings) {
  double effort = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    effort += i < n ? std::pow(std::max(x[i], 0.0), settings.exponent)
                    : settings.reserve_weight * x[i] * x[i];
  }
  return effort;
}

// The quadratic model of the sum of a^p around x.
void set_model(const std::vector<double>& x, double p, std::size_t n, solver::QpProblem& program) {
  for (std::size_t i = 0; i < n; ++i) {
    const double a = std::max(x[i], 0.0);
    program.H[i] = p * std::max(p - 1, 0.1) * std::pow(std::max(a, kLeastActivation), p - 2);
    program.c[i] = p * std::pow(a, p - 1) - program.H[i] * x[i];
  }
}

// Goes from x towards `target` as far as the effort falls; false where it does not.
bool search_line(const DistributionSettings& settings, std::size_t n,
                 const std::vector<double>& target, std::vector<double>& x) {
  const std::vector<double> start = x;
  const double effort = compute_effort(start, n, settings);
  constexpr int kMaxHalvings = 30;
  for (int halvings = 0; halvings < kMaxHalvings; ++halvings) {
    const double part = std::ldexp(1.0, -halvings);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = start[i] + part * (target[i] - start[i]);
    if (compute_effort(x, n, settings) < effort) return true;
  }
  x = start;
  return false;
}

// Equation (17): Newton's method for other exponents, each step a quadratic program. The
// equalities are linear, so every point on the way is feasible.
bool minimise_power(const DistributionSettings& settings, std::size_t n, solver::QpProblem program,
                    std::vector<double>& x, int& iterations) {
  for (int k = 0; k < kMaxNewtonSteps; ++k) {
    set_model(x, settings.exponent, n, program);
    const solver::QpSolution step = solver::solve_qp(program, x);
    if (step.status != solver::QpStatus::kSolved) return false;
    iterations += step.iterations;
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) change = std::max(change, std::abs(step.x[i] - x[i]));
    if (change < kNewtonTolerance) return true;
    if (!search_line(settings, n, step.x, x)) return true;  // as low as rounding lets it
  }
  return false;
}

void check_demand(const PoseDemand& demand, const DistributionSettings& settings,
                  const std::vector<double>& guess) {
  const std::size_t n = demand.lower.size(), m = demand.moments.size();
  const bool fits = demand.upper.size() == n && demand.reserve_scales.size() == m &&
                    demand.torques.values.size() == n * m && (guess.empty() || guess.size() == n);
  if (!fits) throw std::invalid_argument("the parts of a pose's demand differ in size");
  if (!(settings.exponent >= 1)) throw std::invalid_argument("the exponent must be at least 1");
}

}  // namespace

PoseActivation distribute(const PoseDemand& demand, const DistributionSettings& settings,
                          const std::vector<double>& guess) {
  check_demand(demand, settings, guess);
  const std::size_t n = demand.lower.size(), m = demand.moments.size();
  const solver::QpProblem program = make_program(demand, settings);
  std::vector<double> x = guess.empty() ? demand.lower : guess;
  for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(x[i], demand.lower[i], demand.upper[i]);
  x.resize(n + m);
  fill_reserves(demand, x);
  solver::QpSolution squares = solver::solve_qp(program, x);
  PoseActivation result;
  result.solved = squares.status == solver::QpStatus::kSolved;
  result.iterations = squares.iterations;
  x = std::move(squares.x);
  if (settings.exponent != 2 && result.solved) {
    result.solved = minimise_power(settings, n, program, x, result.iterations);
  }
  fill_reserves(demand, x);  // so that the sum is exact
  result.reserves.assign(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
  for (std::size_t i = 0; i < m; ++i) result.reserves[i] *= demand.reserve_scales[i];
  x.resize(n);
  result.activations = std::move(x);
  return result;
}

std::vector<double> invert_anatomy_matrix(const solver::DenseMatrix& lever_arms,
                                          const std::vector<double>& moments) {
  skeleton::DenseMatrix A;
  A.rows = lever_arms.rows;
  A.columns = lever_arms.columns;
  A.values = lever_arms.values;
  return skeleton::solve_least_squares(skeleton::make_pseudo_inverse(A, 1e-12), moments, 0);
}

}  // namespace sinew::activation
