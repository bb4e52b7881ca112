#include "sinew/solver/working_set.h"

#include <algorithm>
#include <cmath>

namespace sinew::solver {
namespace {

constexpr double kDependent = 1e-12;            // of a pivot: a row that depends on others
constexpr double kMultiplierTolerance = 1e-11;  // of the gradient's size
constexpr double kNegligible = 1e-12;           // of a step, against x: rounding

bool is_diagonal(const QpProblem& problem) {
  return problem.H.size() == problem.c.size();
}

double size_of(const std::vector<double>& v) {
  double largest = 0;
  for (const double value : v) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<std::size_t> list_free(const WorkingPoint& point) {
  std::vector<std::size_t> free;
  free.reserve(point.sides.size());
  for (std::size_t i = 0; i < point.sides.size(); ++i) {
    if (point.sides[i] == Side::kFree) free.push_back(i);
  }
  return free;
}

// Columns of the free variables, as rows: (num_free x m).
DenseMatrix gather_columns(const DenseMatrix& A, const std::vector<std::size_t>& free) {
  DenseMatrix columns(free.size(), A.rows);
  for (std::size_t k = 0; k < free.size(); ++k) {
    for (std::size_t i = 0; i < A.rows; ++i) columns(k, i) = A(i, free[k]);
  }
  return columns;
}

// H of the free variables, ready to divide by.
class FreeHessian {
 public:
  FreeHessian(const QpProblem& problem, const std::vector<std::size_t>& free) {
    if (is_diagonal(problem)) {
      diagonal_.reserve(free.size());
      for (const std::size_t i : free) diagonal_.push_back(problem.H[i]);
      return;
    }
    const std::size_t n = problem.c.size();
    factor_ = DenseMatrix(free.size(), free.size());
    for (std::size_t a = 0; a < free.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) factor_(a, b) = problem.H[free[a] * n + free[b]];
    }
    factorise_cholesky(factor_, 0);
  }
  void solve(std::vector<double>& x) const {
    if (factor_.rows > 0) {
      solve_cholesky(factor_, x);
    } else {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] /= diagonal_[i];
    }
  }

 private:
  std::vector<double> diagonal_;
  DenseMatrix factor_;
};

struct Step {
  std::vector<double> p;  // (num_free)
  std::vector<double> y;  // (m)
};

// The equations (11), factorised:  H p - A^T y = f,  A p = r  over the free variables.
class FreeEquations {
 public:
  FreeEquations(const QpProblem& problem, const std::vector<std::size_t>& free)
      : columns_(gather_columns(problem.A, free)),
        hessian_(problem, free),
        images_(problem.A.rows, free.size()),
        S_(problem.A.rows, problem.A.rows) {
    std::vector<double> column(free.size());
    for (std::size_t i = 0; i < images_.rows; ++i) {
      for (std::size_t k = 0; k < free.size(); ++k) column[k] = columns_(k, i);
      hessian_.solve(column);
      std::copy(column.begin(), column.end(), images_.row(i).begin());
      for (std::size_t k = 0; k < free.size(); ++k) {
        for (std::size_t j = 0; j <= i; ++j) S_(i, j) += column[k] * columns_(k, j);
      }
    }
    factorise_cholesky(S_, kDependent);  // S = A H^-1 A^T
  }

  // Adds the solution to `step`.
  void add_solution(std::vector<double> f, std::vector<double> r, Step& step) const {
    hessian_.solve(f);
    const std::vector<double> reached = multiply_transposed(columns_, f);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= reached[i];
    solve_cholesky(S_, r);
    const std::vector<double> correction = multiply_transposed(images_, r);
    for (std::size_t k = 0; k < f.size(); ++k) step.p[k] += f[k] + correction[k];
    for (std::size_t i = 0; i < r.size(); ++i) step.y[i] += r[i];
  }

 private:
  DenseMatrix columns_;  // (num_free x m)
  FreeHessian hessian_;
  DenseMatrix images_;  // (m x num_free) H^-1 A^T, transposed
  DenseMatrix S_;
};

// The minimum over the free variables, the others held. Solved twice, the second time for what
// rounding left: a step along a direction that is not there would make the free columns dependent.
Step solve_equality_program(const QpProblem& problem, const std::vector<std::size_t>& free,
                            const std::vector<double>& x) {
  const FreeEquations equations(problem, free);
  Step step{std::vector<double>(free.size(), 0.0), std::vector<double>(problem.b.size(), 0.0)};
  std::vector<double> at = x, f(free.size()), r(problem.b.size());
  for (int round = 0; round < 2; ++round) {
    const std::vector<double> gradient = compute_gradient(problem, at);
    const std::vector<double> balance = multiply_transposed(problem.A, step.y);
    const std::vector<double> reached = multiply(problem.A, at);
    for (std::size_t k = 0; k < free.size(); ++k) f[k] = balance[free[k]] - gradient[free[k]];
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = problem.b[i] - reached[i];
    equations.add_solution(f, r, step);
    for (std::size_t k = 0; k < free.size(); ++k) at[free[k]] = x[free[k]] + step.p[k];
  }
  return step;
}

struct Block {
  double fraction = 1;    // of the step that can be made
  std::size_t place = 0;  // among the free variables, where it is below 1
  Side side = Side::kFree;
};

// Equation (12): the first bound that the step meets.
Block find_block(const QpProblem& problem, const WorkingPoint& point,
                 const std::vector<std::size_t>& free, const Step& step) {
  Block block;
  const double negligible = kNegligible * (1 + size_of(point.x));
  for (std::size_t k = 0; k < free.size(); ++k) {
    const double p = step.p[k], x = point.x[free[k]];
    if (std::abs(p) <= negligible) continue;
    const double bound = p > 0 ? problem.upper[free[k]] : problem.lower[free[k]];
    const double fraction = std::max((bound - x) / p, 0.0);
    if (fraction < block.fraction) {
      block = {fraction, k, p > 0 ? Side::kUpper : Side::kLower};
    }
  }
  return block;
}

void move(const QpProblem& problem, WorkingPoint& point, const std::vector<std::size_t>& free,
          const Step& step, const Block& block) {
  for (std::size_t k = 0; k < free.size(); ++k) {
    const std::size_t i = free[k];
    point.x[i] =
        std::clamp(point.x[i] + block.fraction * step.p[k], problem.lower[i], problem.upper[i]);
  }
  if (block.side == Side::kFree) return;
  const std::size_t i = free[block.place];
  point.sides[i] = block.side;
  point.x[i] = block.side == Side::kUpper ? problem.upper[i] : problem.lower[i];
}

// Equation (13): the active bound that holds x back the most (or the first one, in the order of
// Bland, which cannot go round in circles); n where all multipliers have the right sign.
std::size_t find_release(const QpProblem& problem, const WorkingPoint& point,
                         const std::vector<char>& settled, bool first) {
  const std::size_t n = point.x.size();
  const std::vector<double> gradient = compute_gradient(problem, point.x);
  const std::vector<double> balance = multiply_transposed(problem.A, point.y);
  double worst = kMultiplierTolerance * (1 + size_of(gradient) + size_of(balance));
  std::size_t release = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (point.sides[i] == Side::kFree || settled[i] != 0) continue;
    if (problem.lower[i] == problem.upper[i]) continue;
    const double multiplier = gradient[i] - balance[i];
    const double wrong = point.sides[i] == Side::kLower ? -multiplier : multiplier;
    if (wrong <= worst) continue;
    release = i;
    if (first) break;
    worst = wrong;
  }
  return release;
}

// Frees variables at their bounds until the columns of free ones span all rows of A: then the
// multipliers are unique, and stay so, since a bound that blocks a step never takes rank away.
void free_a_basis(const QpProblem& problem, WorkingPoint& point) {
  const std::size_t m = problem.A.rows, n = point.x.size();
  std::vector<std::size_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = i;
  DenseMatrix columns = gather_columns(problem.A, all);
  for (std::size_t rank = 0; rank < m; ++rank) {
    std::size_t best = n;
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (problem.lower[i] == problem.upper[i]) continue;
      // Free ones first, as long as they are well apart from what is spanned.
      const double gain =
          dot(columns.row(i), columns.row(i)) * (point.sides[i] == Side::kFree ? 1 : 1e-8);
      if (gain > largest) largest = gain, best = i;
    }
    if (best == n) return;
    point.sides[best] = Side::kFree;
    std::vector<double> direction(columns.row(best).begin(), columns.row(best).end());
    const double square = dot(direction, direction);
    for (std::size_t i = 0; i < n; ++i) {
      const double share = dot(columns.row(i), direction) / square;
      for (std::size_t k = 0; k < m; ++k) columns(i, k) -= share * direction[k];
    }
    std::fill(columns.row(best).begin(), columns.row(best).end(), 0.0);
  }
}

}  // namespace

std::vector<double> compute_gradient(const QpProblem& problem, const std::vector<double>& v) {
  std::vector<double> gradient = problem.c;
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) {
    gradient[i] +=
        is_diagonal(problem) ? problem.H[i] * v[i] : dot({problem.H.data() + i * n, n}, v);
  }
  return gradient;
}

bool minimise_in_working_set(const QpProblem& problem, WorkingPoint& point) {
  const std::size_t n = point.x.size();
  free_a_basis(problem, point);
  std::vector<char> settled(n, 0);
  std::size_t idle = 0;  // changes in a row that did not move x
  std::size_t released = n;
  for (std::size_t pass = 0; pass < 50 * (n + problem.A.rows) + 100; ++pass) {
    const std::vector<std::size_t> free = list_free(point);
    Step step = solve_equality_program(problem, free, point.x);
    const Block block = find_block(problem, point, free, step);
    move(problem, point, free, step, block);
    point.y = std::move(step.y);
    if (block.side != Side::kFree) {
      ++point.iterations;
      // A bound that was dropped for its multiplier and blocks at once: the sign was rounding.
      if (free[block.place] == released && block.fraction <= 0) settled[released] = 1;
      idle = block.fraction > 0 ? 0 : idle + 1;
      released = n;
      continue;
    }
    released = find_release(problem, point, settled, idle > n);
    if (released == n) return true;
    ++point.iterations;
    point.sides[released] = Side::kFree;
  }
  return false;
}

}  // namespace sinew::solver
