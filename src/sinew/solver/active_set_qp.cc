#include "sinew/solver/active_set_qp.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sinew/solver/working_set.h"

namespace sinew::solver {
namespace {

constexpr double kFeasible = 1e-11;  // of a row at unit length, against 1 + |b|
constexpr double kProximity = 1e-7;  // of proximal terms, against the objective's curvature
constexpr double kLeastProximity = 1e-12;
constexpr double kDefinite = 1e-11;     // of a pivot, against its diagonal entry
constexpr double kStationary = 1e-11;   // of a proximal step's gradient, against the objective's
constexpr int kMaxProximalSteps = 100;  // each gains orders of magnitude, or x runs away

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

bool has_nan(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

void check_problem(const QpProblem& problem, const std::vector<double>& guess) {
  const std::size_t n = problem.c.size(), m = problem.b.size();
  require(problem.H.size() == n || problem.H.size() == n * n, "a QP needs H of n x n or n");
  require(problem.A.rows == m && (m == 0 || problem.A.columns == n), "a QP needs A of m x n");
  require(problem.lower.size() == n && problem.upper.size() == n, "a QP needs n bounds");
  require(guess.empty() || guess.size() == n, "a QP needs a guess of n, or none");
  for (const auto* v : {&problem.H, &problem.c, &problem.A.values, &problem.b, &guess}) {
    require(!has_nan(*v), "a QP must not hold NaN");
  }
  for (std::size_t i = 0; i < n; ++i) {
    require(problem.lower[i] <= problem.upper[i], "a QP needs lower <= upper");
  }
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

// Divides each row of A and b by its length; zero rows stay. Returns the lengths.
std::vector<double> scale_rows(QpProblem& problem) {
  std::vector<double> lengths(problem.A.rows);
  for (std::size_t i = 0; i < problem.A.rows; ++i) {
    const double length = std::sqrt(dot(problem.A.row(i), problem.A.row(i)));
    lengths[i] = length > 0 ? length : 1;
    for (double& a : problem.A.row(i)) a /= lengths[i];
    problem.b[i] /= lengths[i];
  }
  return lengths;
}

WorkingPoint start_at(const QpProblem& problem, const std::vector<double>& guess) {
  const std::size_t n = problem.c.size();
  WorkingPoint point{std::vector<double>(n, 0.0), std::vector<Side>(n, Side::kFree), {}, 0};
  for (std::size_t i = 0; i < n; ++i) {
    const double wanted = guess.empty() ? 0 : guess[i];
    point.x[i] = std::clamp(wanted, problem.lower[i], problem.upper[i]);
    if (point.x[i] == problem.upper[i]) point.sides[i] = Side::kUpper;
    if (point.x[i] == problem.lower[i]) point.sides[i] = Side::kLower;
  }
  return point;
}

std::vector<double> compute_violation(const QpProblem& problem, const std::vector<double>& x) {
  std::vector<double> violation = multiply(problem.A, x);
  for (std::size_t i = 0; i < violation.size(); ++i) violation[i] -= problem.b[i];
  return violation;
}

bool is_feasible(const QpProblem& problem, const std::vector<double>& x) {
  const std::vector<double> violation = compute_violation(problem, x);
  for (std::size_t i = 0; i < violation.size(); ++i) {
    if (std::abs(violation[i]) > kFeasible * (1 + std::abs(problem.b[i]))) return false;
  }
  return true;
}

// min 1/2 |s|^2 + delta/2 |x - center|^2, A x + s = b, lower <= x <= upper over (x, s).
QpProblem make_elastic(const QpProblem& problem) {
  const std::size_t n = problem.c.size(), m = problem.b.size();
  QpProblem elastic{std::vector<double>(n, 0.0),
                    std::vector<double>(n + m, 0.0),
                    DenseMatrix(m, n + m),
                    problem.b,
                    problem.lower,
                    problem.upper};
  elastic.H.resize(n + m, 1.0);
  elastic.lower.resize(n + m, -HUGE_VAL);
  elastic.upper.resize(n + m, HUGE_VAL);
  for (std::size_t i = 0; i < m; ++i) {
    std::copy(problem.A.row(i).begin(), problem.A.row(i).end(), elastic.A.row(i).begin());
    elastic.A(i, n + i) = 1;
  }
  return elastic;
}

// Moves the point to where A x = b, or to the least violation. Returns whether it is feasible.
bool find_feasible(const QpProblem& problem, WorkingPoint& point) {
  const std::size_t n = problem.c.size(), m = problem.b.size();
  QpProblem elastic = make_elastic(problem);
  WorkingPoint stretched = point;
  stretched.sides.resize(n + m, Side::kFree);
  double delta = kProximity;
  for (int k = 0; k < kMaxProximalSteps && !is_feasible(problem, point.x); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      elastic.H[i] = delta;
      elastic.c[i] = -delta * point.x[i];
    }
    stretched.x.resize(n);
    for (const double v : compute_violation(problem, point.x)) stretched.x.push_back(-v);
    minimise_in_working_set(elastic, stretched);
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      change = std::max(change, std::abs(stretched.x[i] - point.x[i]));
      point.x[i] = stretched.x[i];
    }
    if (change <= kFeasible) break;                  // least squares
    delta = std::max(0.1 * delta, kLeastProximity);  // for rows that are all but dependent
  }
  std::copy_n(stretched.sides.begin(), n, point.sides.begin());
  point.iterations = stretched.iterations;
  return is_feasible(problem, point.x);
}

// Rows that are independent on variables that can move.
std::vector<std::size_t> choose_rows(const QpProblem& problem) {
  const std::size_t n = problem.c.size();
  DenseMatrix rest = problem.A;
  for (std::size_t i = 0; i < rest.rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (problem.lower[j] == problem.upper[j]) rest(i, j) = 0;
    }
  }
  std::vector<std::size_t> chosen;
  chosen.reserve(rest.rows);
  for (std::size_t rank = 0; rank < rest.rows; ++rank) {
    std::size_t best = 0;
    double largest = 0;
    for (std::size_t i = 0; i < rest.rows; ++i) {
      const double square = dot(rest.row(i), rest.row(i));
      if (square > largest) largest = square, best = i;
    }
    if (largest <= 1e-20) break;  // a length of 1e-10 of rows at unit length
    chosen.push_back(best);
    const std::vector<double> direction(rest.row(best).begin(), rest.row(best).end());
    for (std::size_t i = 0; i < rest.rows; ++i) {
      const double share = dot(rest.row(i), direction) / largest;
      for (std::size_t j = 0; j < n; ++j) rest(i, j) -= share * direction[j];
    }
    std::fill(rest.row(best).begin(), rest.row(best).end(), 0.0);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The program with these rows only, and with what x, feasible to rounding, makes of A x for b: at a
// corner even the last bit of a correction can be in the way.
QpProblem keep_rows(const QpProblem& problem, const std::vector<std::size_t>& rows,
                    const std::vector<double>& x) {
  QpProblem kept = problem;
  kept.A = DenseMatrix(rows.size(), problem.c.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy(problem.A.row(rows[i]).begin(), problem.A.row(rows[i]).end(), kept.A.row(i).begin());
  }
  kept.b = multiply(kept.A, x);
  return kept;
}

bool is_definite(const QpProblem& problem) {
  const std::size_t n = problem.c.size();
  if (problem.H.size() == n) {
    const double largest = largest_of(problem.H);
    return std::all_of(problem.H.begin(), problem.H.end(),
                       [&](double h) { return h > kDefinite * largest; });
  }
  DenseMatrix factor(n, n);
  factor.values = problem.H;
  return factorise_cholesky(factor, kDefinite) == 0;
}

// Equation (14): adds weight/2 |A x - b|^2 to the objective, which is zero where it matters.
void add_penalty(QpProblem& problem, double weight) {
  const std::size_t n = problem.c.size();
  if (problem.H.size() == n) {
    std::vector<double> full(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) full[i * n + i] = problem.H[i];
    problem.H = std::move(full);
  }
  for (std::size_t k = 0; k < problem.A.rows; ++k) {
    const auto row = problem.A.row(k);
    for (std::size_t i = 0; i < n; ++i) {
      problem.c[i] -= weight * row[i] * problem.b[k];
      for (std::size_t j = 0; j < n; ++j) problem.H[i * n + j] += weight * row[i] * row[j];
    }
  }
}

// Proximal steps where H is only semidefinite.
QpStatus minimise_by_proximal_steps(const QpProblem& problem, WorkingPoint& point) {
  const std::size_t n = problem.c.size();
  const double curvature = std::max(largest_of(problem.H), 1e-300);
  const double delta = kProximity * curvature;
  QpProblem nearby = problem;
  for (std::size_t i = 0; i < n; ++i) nearby.H[i * n + i] += delta;
  if (!is_definite(nearby)) return QpStatus::kNotConvex;
  for (int k = 0; k < kMaxProximalSteps; ++k) {
    const std::vector<double> center = point.x;
    for (std::size_t i = 0; i < n; ++i) nearby.c[i] = problem.c[i] - delta * center[i];
    if (!minimise_in_working_set(nearby, point)) return QpStatus::kIterationLimit;
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      change = std::max(change, std::abs(point.x[i] - center[i]));
    }
    if (delta * change <= kStationary * (1 + largest_of(compute_gradient(problem, point.x)))) {
      return QpStatus::kSolved;
    }
  }
  return QpStatus::kUnbounded;
}

QpStatus minimise(const QpProblem& problem, WorkingPoint& point) {
  QpProblem convex = problem;
  if (!is_definite(convex)) add_penalty(convex, std::max(largest_of(problem.H), 1.0));
  if (!is_definite(convex)) return minimise_by_proximal_steps(convex, point);
  return minimise_in_working_set(convex, point) ? QpStatus::kSolved : QpStatus::kIterationLimit;
}

// What is left of the gradient at active bounds; exactly zero elsewhere.
std::vector<double> compute_bound_multipliers(const QpProblem& problem, const WorkingPoint& point,
                                              const std::vector<double>& y) {
  std::vector<double> z = compute_gradient(problem, point.x);
  const std::vector<double> balance = multiply_transposed(problem.A, y);
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = point.sides[i] == Side::kFree ? 0 : z[i] - balance[i];
  }
  return z;
}

}  // namespace

QpSolution solve_qp(const QpProblem& problem, const std::vector<double>& guess) {
  check_problem(problem, guess);
  QpProblem scaled = problem;
  scaled.A.columns = problem.c.size();
  const std::vector<double> lengths = scale_rows(scaled);
  WorkingPoint point = start_at(scaled, guess);
  QpSolution solution;
  solution.equality_multipliers.assign(problem.b.size(), 0.0);
  solution.bound_multipliers.assign(problem.c.size(), 0.0);
  if (!is_feasible(scaled, point.x) && !find_feasible(scaled, point)) {
    solution.status = QpStatus::kInfeasible;
  } else {
    const std::vector<std::size_t> rows = choose_rows(scaled);
    solution.status = minimise(keep_rows(scaled, rows, point.x), point);
    for (std::size_t i = 0; i < rows.size() && i < point.y.size(); ++i) {
      solution.equality_multipliers[rows[i]] = point.y[i] / lengths[rows[i]];
    }
    solution.bound_multipliers =
        compute_bound_multipliers(problem, point, solution.equality_multipliers);
  }
  solution.violation = compute_violation(problem, point.x);
  solution.iterations = point.iterations;
  solution.x = std::move(point.x);
  return solution;
}

double compute_kkt_error(const QpProblem& problem, const QpSolution& solution) {
  const std::vector<double>& x = solution.x;
  const std::vector<double>& z = solution.bound_multipliers;
  const std::vector<double> gradient = compute_gradient(problem, x);
  const std::vector<double> balance = multiply_transposed(problem.A, solution.equality_multipliers);
  double error = largest_of(compute_violation(problem, x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double share = problem.A.rows > 0 ? balance[i] : 0;
    error = std::max({error, std::abs(gradient[i] - share - z[i]), problem.lower[i] - x[i],
                      x[i] - problem.upper[i]});
    const double to_lower = x[i] - problem.lower[i], to_upper = problem.upper[i] - x[i];
    error = std::max(
        {error, std::min(std::max(z[i], 0.0), to_lower), std::min(std::max(-z[i], 0.0), to_upper)});
  }
  return error;
}

}  // namespace sinew::solver
