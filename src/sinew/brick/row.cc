#include "sinew/brick/row.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

namespace sinew::brick {
namespace {

constexpr int kFirstRounds = 8;    // of the active set
constexpr int kCycles = 16;        // of sweeps, where these do not settle, and
constexpr int kSweeps = 20;        // of Gauss-Seidel each, and
constexpr int kLaterRounds = 2;    // of the active set from there
constexpr double kSettled = 3e-4;  // change by a sweep, in the largest force: theory, section 5
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

// Of a row that slides: its force in that of its normal's row. 0 of all others.
double find_slide(const Row& row, At at) {
  if (row.normal == kNoRow || at == At::kFree) return 0;
  return at == At::kHigh ? row.friction : -row.friction;
}

// Solves for the free rows with the others at their bounds; rows that slide go with their normal's
// force, so that no rounds are needed to bring the two together.
void solve_free(std::span<const Row> rows, const SymmetricMap& W, std::span<const double> b,
                const std::vector<At>& at, std::vector<double>& forces) {
  std::vector<Eigen::Index> free, place(at.size(), -1);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] != At::kFree) continue;
    place[i] = static_cast<Eigen::Index>(free.size());
    free.push_back(static_cast<Eigen::Index>(i));
  }
  const auto n = static_cast<Eigen::Index>(free.size());
  if (n == 0) return;
  Eigen::MatrixXd A(n, n);
  Eigen::VectorXd right(n);
  bool slides = false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto w = W.col(free[i]);
    double sum = b[static_cast<std::size_t>(free[i])];
    for (Eigen::Index j = 0; j < n; ++j) A(i, j) = w[free[j]];
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (at[j] == At::kFree) continue;
      const double slide = find_slide(rows[j], at[j]);
      const Eigen::Index normal = slide == 0 ? -1 : place[rows[j].normal];
      if (normal >= 0) {
        A(i, normal) += slide * w[static_cast<Eigen::Index>(j)];
        slides = true;
      } else {
        sum -= w[static_cast<Eigen::Index>(j)] * forces[j];
      }
    }
    right[i] = sum;
    A(i, i) *= 1 + 1e-9;  // rows that ask for the same share the force
  }
  const Eigen::VectorXd x =
      slides ? Eigen::VectorXd(A.partialPivLu().solve(right)) : solve_positive(A, right);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double f = x[i];
    forces[static_cast<std::size_t>(free[i])] = std::isfinite(f) ? f : 0;
  }
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double slide = find_slide(rows[j], at[j]);
    if (slide != 0) forces[j] = slide * std::max(forces[rows[j].normal], 0.0);
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

// Sweeps of projected Gauss-Seidel, each of which comes nearer whatever the rows ask; then `at`
// says which rows ended at a bound. Returns the largest change of the last sweep, in the largest
// force.
double relax(std::span<const Row> rows, const SymmetricMap& W, std::span<const double> b,
             std::vector<double>& forces, std::vector<At>& at) {
  double change = 0;
  const Eigen::Map<const Eigen::VectorXd> f(forces.data(), W.rows());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    change = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const double diagonal = W(column, column);
      if (!(diagonal > 0)) continue;
      const double wanted = forces[i] + (b[i] - W.col(column).dot(f)) / diagonal;
      const Bound bound = bound_of(rows[i], forces);
      const double next = std::clamp(wanted, bound.low, bound.high);
      at[i] = next == wanted ? At::kFree : next == bound.low ? At::kLow : At::kHigh;
      change = std::max(change, std::abs(next - forces[i]));
      forces[i] = next;
    }
  }
  const double most = f.lpNorm<Eigen::Infinity>();
  return change > 0 ? change / most : 0;
}

}  // namespace

void set_force(const LinearForce& law, double horizon, Row& row) {
  const double damping = std::max(law.damping, 0.0);
  const double D = std::max(std::max(law.stiffness, 0.0) + damping / horizon, kSoftest);
  row.compliance = 1 / D;
  row.target = (law.force + damping * law.speed) / D;
}

RowSolution solve_rows(std::span<const Row> rows, std::vector<double> W,
                       std::span<const double> b) {
  const auto n = static_cast<Eigen::Index>(rows.size());
  const SymmetricMap A(W.data(), n, n);
  RowSolution out{std::vector<double>(rows.size(), 0.0)};
  std::vector<At> at(rows.size(), At::kFree);
  // Contacts that would not touch without any force start at zero.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].low == 0 && b[i] < 0) at[i] = At::kLow;
    if (rows[i].normal != kNoRow && b[rows[i].normal] < 0) at[i] = At::kLow;
  }
  const auto try_rounds = [&](int most) {
    for (int round = 0; round < most && !out.settled; ++round, ++out.rounds) {
      solve_free(rows, A, b, at, out.forces);
      out.settled = !update(rows, A, b, at, out.forces);
    }
  };
  out.settled = rows.empty();
  try_rounds(kFirstRounds);
  // Sweeps find the rows at bounds long before their forces: then a solve or two end it.
  std::vector<double> swept(rows.size(), 0.0);
  for (int cycle = 0; cycle < kCycles && !out.settled; ++cycle) {
    const double change = relax(rows, A, b, swept, at);
    out.forces = swept;
    out.settled = change <= kSettled;
    try_rounds(kLaterRounds);
  }
  if (!out.settled) out.forces = std::move(swept);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Bound bound = bound_of(rows[i], out.forces);
    out.forces[i] = std::clamp(out.forces[i], bound.low, bound.high);
  }
  return out;
}

}  // namespace sinew::brick
