#include "sinew/activation/force_distribution.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/skeleton/pseudo_inverse.h"
#include "sinew/solver/active_set_qp.h"

namespace sinew::activation {
namespace {

constexpr int kMaxNewtonSteps = 100;
constexpr double kExponentGrowth = 1.5;  // from an exponent to the next
// Of the conditions of a minimum, against the largest slope. Prices of moments come from reserves,
// which are 1e-8 of the moments where muscles suffice: they are known to 1e-8.
constexpr double kOptimal = 1e-7;
constexpr double kRounding = 1e-13;        // of the effort
constexpr double kLeastPart = 1e-8;        // of the largest activation, where p < 2
constexpr double kLeastCurvature = 1e-10;  // of the largest: what programs are solved for safely

// A reserve's variable is its sqrt(W) s/R, so that curvatures are alike.
double scale_of_reserve(const PoseDemand& demand, const DistributionSettings& settings,
                        std::size_t i) {
  return demand.reserve_scales[i] / std::sqrt(settings.reserve_weight);
}

// Variables are the activations, then those of the reserves.
solver::QpProblem make_program(const PoseDemand& demand, const DistributionSettings& settings) {
  const std::size_t n = demand.lower.size(), m = demand.moments.size();
  solver::QpProblem program{std::vector<double>(n + m, 2.0),
                            std::vector<double>(n + m, 0.0),
                            solver::DenseMatrix(m, n + m),
                            demand.moments,
                            demand.lower,
                            demand.upper};
  program.lower.resize(n + m, -HUGE_VAL);
  program.upper.resize(n + m, HUGE_VAL);
  for (std::size_t i = 0; i < m; ++i) {
    std::copy(demand.torques.row(i).begin(), demand.torques.row(i).end(), program.A.row(i).begin());
    program.A(i, n + i) = scale_of_reserve(demand, settings, i);
  }
  return program;
}

// Reserves that make any activations a feasible point.
void fill_reserves(const PoseDemand& demand, const DistributionSettings& settings,
                   std::vector<double>& x) {
  const std::size_t n = demand.lower.size();
  for (std::size_t i = 0; i < demand.moments.size(); ++i) {
    const double supplied = solver::dot(demand.torques.row(i), std::span(x).first(n));
    x[n + i] = (demand.moments[i] - supplied) / scale_of_reserve(demand, settings, i);
  }
}

// Equation (15) over M^2, so that its terms are near 1 however small activations are.
struct Effort {
  double exponent;  // p
  double largest;   // M
  std::size_t num_muscles;
};

// What a step changes of the effort, term by term: reserves without a muscle do not drown it.
double compute_change(const Effort& effort, const std::vector<double>& from,
                      const std::vector<double>& to) {
  double change = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double a = from[i] / effort.largest, b = to[i] / effort.largest;
    change += i < effort.num_muscles ? std::pow(std::max(b, 0.0), effort.exponent) -
                                           std::pow(std::max(a, 0.0), effort.exponent)
                                     : (b - a) * (b + a);
  }
  return change;
}

// The derivative of M^2 (a/M)^p.
double compute_slope(const Effort& effort, double a) {
  const double part = std::max(a, 0.0) / effort.largest;
  return effort.exponent * effort.largest * std::pow(part, effort.exponent - 1);
}

// Equation (17): the quadratic model around x, with curvatures of `least` (of the largest) or more.
void set_model(const Effort& effort, const std::vector<double>& x, double least,
               solver::QpProblem& program) {
  const double p = effort.exponent;
  for (std::size_t i = 0; i < effort.num_muscles; ++i) {
    const double part = std::max(x[i] / effort.largest, kLeastPart);
    program.H[i] = p * std::max((p - 1) * std::pow(part, p - 2), p * least);
    program.c[i] = compute_slope(effort, x[i]) - program.H[i] * x[i];
  }
}

// The largest failure of the conditions of a minimum: slopes of activations that the moments they
// supply do not pay for, against the largest slope or what is paid. The price of a moment is what
// its reserve would cost.
double compute_optimality_error(const Effort& effort, const solver::QpProblem& program,
                                const std::vector<double>& x) {
  const std::size_t n = effort.num_muscles;
  double error = 0, largest = 0;
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, compute_slope(effort, x[j]));
  for (std::size_t j = 0; j < n; ++j) {
    double z = compute_slope(effort, x[j]), size = largest;
    for (std::size_t i = 0; i < program.A.rows; ++i) {
      const double paid = program.A(i, j) * 2 * x[n + i] / program.A(i, n + i);
      z -= paid;
      size += std::abs(paid);
    }
    const double way = z > 0 ? x[j] - program.lower[j] : program.upper[j] - x[j];
    error = std::max(error, std::min(std::abs(z) / size, way / effort.largest));
  }
  return error;
}

// From x towards `target` as far as the effort falls; x where it does not.
std::vector<double> search_line(const Effort& effort, const std::vector<double>& target,
                                const std::vector<double>& x) {
  constexpr int kMaxHalvings = 30;
  std::vector<double> next = target;
  for (int halvings = 1; halvings <= kMaxHalvings; ++halvings) {
    if (compute_change(effort, x, next) < 0) return next;
    const double part = std::ldexp(1.0, -halvings);
    for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + part * (target[i] - x[i]);
  }
  return x;
}

// Newton's method for one exponent, each step a quadratic program. The equalities are linear, so
// every point on the way is feasible. Muscles that hardly work have next to no curvature; where
// that makes a program too ill to lead on, they are given more. Returns whether the conditions of a
// minimum hold.
bool minimise_effort(const PoseDemand& demand, const DistributionSettings& settings,
                     const Effort& effort, solver::QpProblem& program, std::vector<double>& x,
                     int& iterations) {
  double least = kLeastCurvature;
  double error = compute_optimality_error(effort, program, x);
  for (int k = 0; k < kMaxNewtonSteps && error > kOptimal && least < 1; ++k) {
    set_model(effort, x, least, program);
    solver::QpSolution step = solver::solve_qp(program, x);
    iterations += step.iterations;
    fill_reserves(demand, settings, step.x);
    std::vector<double> next = search_line(effort, step.x, x);
    // Near the minimum the effort says nothing any more.
    if (compute_optimality_error(effort, program, step.x) < 0.1 * error) next = std::move(step.x);
    const double next_error = compute_optimality_error(effort, program, next);
    if (compute_change(effort, x, next) < -kRounding || next_error < 0.5 * error) {
      x = std::move(next);
      error = next_error;
      least = std::max(0.1 * least, kLeastCurvature);
    } else {
      least *= 100;
    }
  }
  return error <= kOptimal;
}

// From the solution for p = 2 by way of exponents between, each a guess for the next.
bool minimise_power(const PoseDemand& demand, const DistributionSettings& settings,
                    solver::QpProblem program, std::vector<double>& x, int& iterations) {
  const std::size_t n = demand.lower.size();
  Effort effort{2, 0, n};
  for (std::size_t j = 0; j < n; ++j) effort.largest = std::max(effort.largest, x[j]);
  if (effort.largest == 0) return true;  // nothing is wanted
  bool solved = true;
  while (effort.exponent != settings.exponent) {
    effort.exponent = settings.exponent < 2
                          ? settings.exponent
                          : std::min(settings.exponent, kExponentGrowth * effort.exponent);
    solved = minimise_effort(demand, settings, effort, program, x, iterations);
  }
  return solved;
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
  fill_reserves(demand, settings, x);
  solver::QpSolution squares = solver::solve_qp(program, x);
  PoseActivation result;
  result.solved = squares.status == solver::QpStatus::kSolved;
  result.iterations = squares.iterations;
  x = std::move(squares.x);
  if (settings.exponent != 2 && result.solved) {
    result.solved = minimise_power(demand, settings, program, x, result.iterations);
  }
  fill_reserves(demand, settings, x);  // so that the sum is exact
  result.reserves.assign(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
  for (std::size_t i = 0; i < m; ++i) result.reserves[i] *= scale_of_reserve(demand, settings, i);
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
