#include "sinew/brick/row.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace sinew::brick {
namespace {

constexpr int kMostRounds = 8;
constexpr double kSoftest = 1e-9;  // N/m: a row of less stiffness is a constant force

enum class At : char { kFree, kLow, kHigh };

using SymmetricMap = Eigen::Map<const Eigen::MatrixXd>;  // rows are columns

struct Bound {
  double low, high;
};

Bound bound_of(const Row& row, const std::vector<double>& forces) {
  if (row.normal == kNoRow) return {row.low, row.high};
  const double most = row.friction * std::max(forces[row.normal], 0.0);
  return {-most, most};
}

// Cholesky's factorisation, with pivots where rounding leaves none without.
Eigen::VectorXd solve_positive(const Eigen::MatrixXd& A, const Eigen::VectorXd& right) {
  const Eigen::LLT<Eigen::MatrixXd, Eigen::Lower> plain(A);
  if (plain.info() == Eigen::Success) return plain.solve(right);
  return Eigen::LDLT<Eigen::MatrixXd, Eigen::Lower>(A).solve(right);
}

// Solves for the free rows with the others at their bounds.
void solve_free(const SymmetricMap& W, std::span<const double> b, const std::vector<At>& at,
                std::vector<double>& forces) {
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] == At::kFree) free.push_back(static_cast<Eigen::Index>(i));
  }
  const auto n = static_cast<Eigen::Index>(free.size());
  if (n == 0) return;
  Eigen::MatrixXd A(n, n);
  Eigen::VectorXd right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto w = W.col(free[i]);
    double sum = b[static_cast<std::size_t>(free[i])];
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (at[j] != At::kFree) sum -= w[static_cast<Eigen::Index>(j)] * forces[j];
    }
    right[i] = sum;
    for (Eigen::Index j = i; j < n; ++j) A(j, i) = w[free[j]];
    A(i, i) *= 1 + 1e-9;  // rows that ask for the same share the force
  }
  const Eigen::VectorXd x = solve_positive(A, right);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double f = x[i];
    forces[static_cast<std::size_t>(free[i])] = std::isfinite(f) ? f : 0;
  }
}

// How far row i misses its target, m: positive where a larger force is wanted.
double residual(const SymmetricMap& W, std::span<const double> b, const std::vector<double>& forces,
                std::size_t i) {
  const Eigen::Map<const Eigen::VectorXd> f(forces.data(), W.rows());
  return b[i] - W.col(static_cast<Eigen::Index>(i)).dot(f);
}

// Moves rows onto bounds that they passed and off bounds that hold them back; true where any moved.
bool update(std::span<const Row> rows, const SymmetricMap& W, std::span<const double> b,
            std::vector<At>& at, std::vector<double>& forces) {
  bool moved = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Bound bound = bound_of(rows[i], forces);
    const double slack = 1e-9 * (1 + std::abs(forces[i]));
    At next = at[i];
    if (at[i] == At::kFree) {
      if (forces[i] < bound.low - slack) next = At::kLow;
      if (forces[i] > bound.high + slack) next = At::kHigh;
    } else {
      const double r = residual(W, b, forces, i);
      const double tiny = 1e-12 * W(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
      if (at[i] == At::kLow && r > tiny) next = At::kFree;
      if (at[i] == At::kHigh && r < -tiny) next = At::kFree;
    }
    moved = moved || next != at[i] ||
            (next != At::kFree && rows[i].normal != kNoRow &&
             std::abs(std::abs(forces[i]) - bound.high) > slack);
    at[i] = next;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Bound bound = bound_of(rows[i], forces);
    if (at[i] == At::kLow) forces[i] = bound.low;
    if (at[i] == At::kHigh) forces[i] = bound.high;
  }
  return moved;
}

// Projected Gauss-Seidel from zero force: slower, but each sweep comes nearer, whatever the rows
// ask.
std::vector<double> relax(std::span<const Row> rows, const SymmetricMap& W,
                          std::span<const double> b) {
  constexpr int kSweeps = 60;
  const auto n = static_cast<Eigen::Index>(rows.size());
  std::vector<double> forces(rows.size(), 0.0);
  const Eigen::Map<const Eigen::VectorXd> f(forces.data(), n);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const double diagonal = W(at, at);
      if (!(diagonal > 0)) continue;
      const double wanted = forces[i] + (b[i] - W.col(at).dot(f)) / diagonal;
      const Bound bound = bound_of(rows[i], forces);
      forces[i] = std::clamp(wanted, bound.low, bound.high);
    }
  }
  return forces;
}

}  // namespace

void set_force(const LinearForce& law, double horizon, Row& row) {
  const double damping = std::max(law.damping, 0.0);
  const double D = std::max(std::max(law.stiffness, 0.0) + damping / horizon, kSoftest);
  row.compliance = 1 / D;
  row.target = (law.force + damping * law.speed) / D;
}

std::vector<double> solve_rows(std::span<const Row> rows, std::vector<double> W,
                               std::span<const double> b, int* rounds) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const SymmetricMap A(W.data(), n, n);
  std::vector<double> forces(rows.size(), 0.0);
  std::vector<At> at(rows.size(), At::kFree);
  // Contacts that would not touch without any force start at zero.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].low == 0 && b[i] < 0) at[i] = At::kLow;
    if (rows[i].normal != kNoRow && b[rows[i].normal] < 0) at[i] = At::kLow;
  }
  int round = 0;
  bool settled = false;
  for (; round < kMostRounds && !settled; ++round) {
    solve_free(A, b, at, forces);
    settled = !update(rows, A, b, at, forces);
  }
  if (!settled) forces = relax(rows, A, b);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Bound bound = bound_of(rows[i], forces);
    forces[i] = std::clamp(forces[i], bound.low, bound.high);
  }
  if (rounds != nullptr) *rounds = round;
  return forces;
}

}  // namespace sinew::brick
