// Small sparse symmetric matrices of a step: the scalar elastic matrix and the Schur complement's
// approximation, by rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::eulerian {

struct SparseMatrix {
  std::vector<std::uint32_t> offset{0};  // (num_rows + 1)
  std::vector<std::uint32_t> column;
  std::vector<double> value;
  std::vector<double> diagonal;  // (num_rows)

  std::size_t size() const { return diagonal.size(); }
};

// Sums the entries of one row by column.
class RowSum {
 public:
  explicit RowSum(std::size_t num_columns) : place_(num_columns, 0) {}
  void add(std::uint32_t column, double value) {
    if (place_[column] == 0) {
      columns_.push_back(column);
      values_.push_back(0);
      place_[column] = static_cast<std::uint32_t>(columns_.size());
    }
    values_[place_[column] - 1] += value;
  }
  // Hands the row over and begins the next.
  void flush(std::size_t row, SparseMatrix& part);

 private:
  std::vector<std::uint32_t> place_;  // 1 + where a column is in the row, 0: not in it
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

// Joins consecutive rows that were made apart.
SparseMatrix join(const std::vector<SparseMatrix>& parts);

// One symmetric Gauss-Seidel sweep on diagonal blocks of `kSweepBlock` rows, from zero: a symmetric
// positive definite preconditioner whose blocks are independent. Entries are kept in single
// precision, row by row those before the diagonal and those after it: what is read in every
// iteration is as little as can be.
inline constexpr std::size_t kSweepBlock = 1024;

struct Sweep {
  struct Half {
    std::vector<std::uint32_t> offset{0};  // (num_rows + 1)
    std::vector<std::uint16_t> column;     // from the block's first row on
    std::vector<float> value;
  };
  Half before, after;
  std::vector<double> inverse;  // (num_rows) of the diagonal, 0 where that is not positive
};

Sweep make_sweep(const SparseMatrix& matrix);
void apply(const Sweep& sweep, std::span<const double> in, std::span<double> out);
void apply(const Sweep& sweep, std::span<const Vec3d> in, std::span<Vec3d> out);  // x, y and z

}  // namespace sinew::eulerian
