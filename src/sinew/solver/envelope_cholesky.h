// A direct solver for small symmetric matrices of 3 x 3 blocks: Cholesky in double within the
// envelope of the rows, after a Cuthill-McKee numbering. For the coarsest level of a hierarchy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"

namespace sinew::solver {

class EnvelopeCholesky {
 public:
  // Numbers the unknowns; `held` (num_rows, or empty) are left out. Factorises nothing yet.
  EnvelopeCholesky(const BlockEntries& entries, const std::vector<char>& held);

  std::size_t num_factor_entries() const { return first_.empty() ? 0 : first_.back(); }

  // A + 1e-6 of its diagonal = L L^T. A pivot that is lost to rounding or not positive is replaced
  // by the diagonal entry: the inverse stays positive definite.
  void factorise(const BlockEntries& entries);

  // x = A^-1 b; zero at held nodes. Precondition: factorised.
  void solve(const Field3f& b, Field3f& x, std::vector<double>& scratch) const;

  std::size_t bytes() const;

 private:
  std::size_t num_unknowns() const { return 3 * order_.size(); }
  std::size_t first_column(std::size_t row) const {
    return row + 1 - (first_[row + 1] - first_[row]);
  }

  std::vector<std::uint32_t> order_;    // nodes, in the order of unknowns
  std::vector<std::uint32_t> number_;   // (num_rows) place in order_, or kHeld
  std::vector<std::size_t> first_;      // (num_unknowns + 1) into rows_: row i ends at its diagonal
  std::vector<double> rows_;            // L by rows, from the first column of the row's envelope
  std::vector<double> inverse_pivots_;  // (num_unknowns) 1 / L_ii
};

}  // namespace sinew::solver
