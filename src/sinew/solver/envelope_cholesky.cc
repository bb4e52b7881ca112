#include "sinew/solver/envelope_cholesky.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/instruction_set.h"
#include "sinew/solver/kernels/solver_kernels.h"

namespace sinew::solver {
namespace {

constexpr std::uint32_t kHeld = std::numeric_limits<std::uint32_t>::max();
constexpr double kShift = 1e-6;        // of the diagonal: above the rounding of entries in float
constexpr double kLeastPivot = 1e-10;  // of the diagonal

// Breadth first through the matrix, from a node of each connected part: nodes that are joined get
// numbers near each other. Restarting once from where the search ended lengthens and thins it.
class Numbering {
 public:
  Numbering(const BlockEntries& e, const std::vector<char>& held) : entries_(e) {
    seen_.assign(e.num_rows(), 0);
    for (std::size_t n = 0; n < held.size(); ++n) seen_[n] = held[n] != 0 ? kDone : 0;
    for (std::size_t n = 0; n < e.num_rows(); ++n) {
      if (seen_[n] != 0) continue;
      const std::size_t begin = order.size();
      visit(static_cast<std::uint32_t>(n), 1);
      const std::uint32_t last = order.back();
      order.resize(begin);
      visit(last, kDone);
    }
  }

  std::vector<std::uint32_t> order;

 private:
  static constexpr char kDone = 2;

  void visit(std::uint32_t start, char mark) {
    std::size_t next = order.size();
    seen_[start] = mark;
    order.push_back(start);
    for (; next < order.size(); ++next) {
      const std::uint32_t n = order[next];
      for (std::size_t k = entries_.first[n]; k < entries_.first[n + 1]; ++k) {
        const std::uint32_t m = entries_.columns[k];
        if (seen_[m] >= mark) continue;
        seen_[m] = mark;
        order.push_back(m);
      }
    }
  }

  const BlockEntries& entries_;
  std::vector<char> seen_;
};

}  // namespace

EnvelopeCholesky::EnvelopeCholesky(const BlockEntries& entries, const std::vector<char>& held)
    : order_(Numbering(entries, held).order), number_(entries.num_rows(), kHeld) {
  for (std::size_t i = 0; i < order_.size(); ++i) {
    number_[order_[i]] = static_cast<std::uint32_t>(i);
  }
  first_.push_back(0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    std::size_t lowest = i;
    for (std::size_t k = entries.first[order_[i]]; k < entries.first[order_[i] + 1]; ++k) {
      const std::uint32_t j = number_[entries.columns[k]];
      if (j != kHeld) lowest = std::min<std::size_t>(lowest, j);
    }
    for (std::size_t d = 0; d < 3; ++d) {
      first_.push_back(first_.back() + 3 * (i - lowest) + d + 1);
    }
  }
}

void EnvelopeCholesky::factorise(const BlockEntries& entries) {
  SINEW_CHECK(entries.num_rows() == number_.size(), "another matrix than was numbered");
  rows_.assign(num_factor_entries(), 0.0);
  inverse_pivots_.assign(num_unknowns(), 0.0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (std::size_t k = entries.first[order_[i]]; k < entries.first[order_[i] + 1]; ++k) {
      const std::uint32_t j = number_[entries.columns[k]];
      if (j == kHeld || j > i) continue;
      for (std::size_t c = 0; c < 9; ++c) {
        const std::size_t row = 3 * i + c / 3;
        const std::size_t column = 3 * std::size_t{j} + c % 3;
        if (column > row) continue;
        rows_[first_[row] + column - first_column(row)] = double{entries.blocks[k][c]};
      }
    }
  }
  const InstructionSet set = instruction_set();
  for (std::size_t i = 0; i < num_unknowns(); ++i) {
    const std::size_t low = first_column(i);
    double* row = &rows_[first_[i]];
    // L_ij = (A_ij - sum_k L_ik L_jk) / L_jj
    for (std::size_t j = low; j < i; ++j) {
      const std::size_t from = std::max(low, first_column(j));
      const double* other = &rows_[first_[j]] + (from - first_column(j));
      const double sum = SINEW_SOLVER_RUN(set, dot(row + (from - low), other, 0, j - from));
      row[j - low] = (row[j - low] - sum) * inverse_pivots_[j];
    }
    const double diagonal = row[i - low];
    const double pivot = (1 + kShift) * diagonal - SINEW_SOLVER_RUN(set, dot(row, row, 0, i - low));
    const double safe = pivot > kLeastPivot * diagonal ? pivot : diagonal;
    inverse_pivots_[i] = safe > 0 ? 1 / std::sqrt(safe) : 0;
  }
}

void EnvelopeCholesky::solve(const Field3f& b, Field3f& x, std::vector<double>& y) const {
  y.resize(num_unknowns());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Vec3f v = b[order_[i]];
    y[3 * i] = double{v.x}, y[3 * i + 1] = double{v.y}, y[3 * i + 2] = double{v.z};
  }
  const InstructionSet set = instruction_set();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::size_t low = first_column(i);
    const double sum = SINEW_SOLVER_RUN(set, dot(&rows_[first_[i]], &y[low], 0, i - low));
    y[i] = (y[i] - sum) * inverse_pivots_[i];
  }
  for (std::size_t i = y.size(); i-- > 0;) {
    const std::size_t low = first_column(i);
    y[i] *= inverse_pivots_[i];
    SINEW_SOLVER_RUN(set, combine(-y[i], &rows_[first_[i]], 1.0, &y[low], 0, i - low));
  }
  x.set_zero();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    x.set(order_[i], {static_cast<float>(y[3 * i]), static_cast<float>(y[3 * i + 1]),
                      static_cast<float>(y[3 * i + 2])});
  }
}

std::size_t EnvelopeCholesky::bytes() const {
  return 4 * (order_.size() + number_.size()) + 8 * (first_.size() + rows_.size()) +
         8 * inverse_pivots_.size();
}

}  // namespace sinew::solver
