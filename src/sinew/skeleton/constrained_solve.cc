#include "sinew/skeleton/constrained_solve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::skeleton {
namespace {

// Below this part of its own square length a row is the sum of others and rounding.
constexpr double kDependent = 1e-12;

double dot_row(const DenseMatrix& a, std::size_t row, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t j = 0; j < a.columns; ++j) sum += a(row, j) * x[j];
  return sum;
}

// The multipliers of equation (37), by the active set method for least squares of Lawson and Hanson
// (1974): rows join where they are violated most and leave where they would pull.
class Multipliers {
 public:
  Multipliers(DenseMatrix compliance, std::vector<double> need, std::size_t num_equal)
      : compliance_(std::move(compliance)),
        need_(std::move(need)),
        num_equal_(num_equal),
        values_(need_.size(), 0),
        refused_(need_.size(), false) {
    for (std::size_t i = 0; i < num_equal; ++i) active_.push_back(i);
  }

  std::vector<double> solve() {
    settle();
    for (std::size_t round = 0; round < 4 * need_.size() && add_most_violated(); ++round) settle();
    return values_;
  }

 private:
  bool add_most_violated() {
    std::size_t worst = need_.size();
    double most = 0;
    for (std::size_t i = num_equal_; i < need_.size(); ++i) {
      if (refused_[i] || std::find(active_.begin(), active_.end(), i) != active_.end()) continue;
      const double missing = need_[i] - dot_row(compliance_, i, values_);
      if (missing > std::max(most, 1e-13 * std::abs(need_[i]))) most = missing, worst = i;
    }
    if (worst == need_.size()) return false;
    active_.push_back(worst);
    return true;
  }

  // Goes towards the multipliers of the active rows, drops those that reach zero on the way.
  void settle() {
    for (std::size_t round = 0; round <= need_.size() && !active_.empty(); ++round) {
      const std::vector<double> goal = solve_active();
      double step = 1;
      for (const std::size_t i : active_)
        if (i >= num_equal_ && goal[i] <= 0)
          step = std::min(step, values_[i] > 0 ? values_[i] / (values_[i] - goal[i]) : 0.0);
      for (const std::size_t i : active_) values_[i] += step * (goal[i] - values_[i]);
      if (step == 1) return;
      std::erase_if(active_, [&](std::size_t i) {
        const bool leaves = i >= num_equal_ && goal[i] <= 0 && values_[i] <= 0;
        if (leaves) values_[i] = 0;
        return leaves;
      });
    }
  }

  std::vector<double> solve_active() {
    DenseMatrix part;
    part.assign(active_.size(), active_.size(), 0);
    std::vector<double> right(active_.size());
    for (std::size_t i = 0; i < active_.size(); ++i) {
      right[i] = need_[active_[i]];
      for (std::size_t j = 0; j < active_.size(); ++j)
        part(i, j) = compliance_(active_[i], active_[j]);
    }
    const RankCholesky factor(part);
    for (std::size_t i = 0; i < active_.size(); ++i)
      if (factor.is_dependent(i)) refused_[active_[i]] = true;
    const std::vector<double> solved = factor.solve(std::move(right));
    std::vector<double> out(need_.size(), 0);
    for (std::size_t i = 0; i < active_.size(); ++i) out[active_[i]] = solved[i];
    return out;
  }

  DenseMatrix compliance_;
  std::vector<double> need_;
  std::size_t num_equal_;
  std::vector<double> values_;
  std::vector<bool> refused_;  // rows that others imply: adding them again would change nothing
  std::vector<std::size_t> active_;
};

}  // namespace

RankCholesky::RankCholesky(const DenseMatrix& a) {
  factor_.assign(a.rows, a.rows, 0);
  for (std::size_t i = 0; i < a.rows; ++i) {
    double pivot = a(i, i);
    for (std::size_t j = 0; j < i; ++j) {
      if (factor_(j, j) == 0) continue;
      double entry = a(i, j);
      for (std::size_t k = 0; k < j; ++k) entry -= factor_(i, k) * factor_(j, k);
      factor_(i, j) = entry / factor_(j, j);
      pivot -= factor_(i, j) * factor_(i, j);
    }
    if (pivot > kDependent * a(i, i)) {
      factor_(i, i) = std::sqrt(pivot);
    } else {
      for (std::size_t j = 0; j < i; ++j) factor_(i, j) = 0;
      first_dependent_ = std::min(first_dependent_, i);
    }
  }
}

std::vector<double> RankCholesky::solve(std::vector<double> b) const {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (is_dependent(i)) {
      b[i] = 0;
      continue;
    }
    for (std::size_t j = 0; j < i; ++j) b[i] -= factor_(i, j) * b[j];
    b[i] /= factor_(i, i);
  }
  for (std::size_t i = b.size(); i-- > 0;) {
    if (is_dependent(i)) continue;
    for (std::size_t j = i + 1; j < b.size(); ++j) b[i] -= factor_(j, i) * b[j];
    b[i] /= factor_(i, i);
  }
  return b;
}

std::vector<double> solve_constrained(const RankCholesky& mass, const std::vector<double>& force,
                                      const ConstraintRows& rows) {
  std::vector<double> out = mass.solve(force);
  const std::size_t count = rows.goals.size(), size = force.size();
  if (count == 0) return out;
  DenseMatrix answers, compliance;
  answers.assign(count, size, 0);  // M^-1 G^T, by rows
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = rows.directions.values.begin() + static_cast<std::ptrdiff_t>(i * size);
    const auto answer = mass.solve({row, row + static_cast<std::ptrdiff_t>(size)});
    std::copy(answer.begin(), answer.end(),
              answers.values.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  compliance.assign(count, count, 0);  // G M^-1 G^T, equation (37)
  std::vector<double> need(count);
  for (std::size_t i = 0; i < count; ++i) {
    need[i] = rows.goals[i] - dot_row(rows.directions, i, out);
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t k = 0; k < size; ++k)
        compliance(i, j) += rows.directions(i, k) * answers(j, k);
  }
  const std::vector<double> multipliers =
      Multipliers(std::move(compliance), std::move(need), rows.num_equal).solve();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < size; ++k) out[k] += multipliers[i] * answers(i, k);
  return out;
}

}  // namespace sinew::skeleton
