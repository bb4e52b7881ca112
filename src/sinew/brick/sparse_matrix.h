// Square sparse matrices by rows, as plain arrays: what assembly fills and solvers read. (Eigen's
// types stay in the sources that solve with them.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::brick {

struct SparseMatrix {
  std::vector<std::size_t> first;      // (rows + 1) into the two others
  std::vector<std::uint32_t> columns;  // increasing within a row
  std::vector<double> values;

  std::size_t rows() const { return first.empty() ? 0 : first.size() - 1; }
};

// y = A x.
std::vector<double> multiply(const SparseMatrix& A, std::span<const double> x);

// Where entry (row, column) is in `values`. Precondition: it is there.
std::size_t find_entry(const SparseMatrix& A, std::uint32_t row, std::uint32_t column);

}  // namespace sinew::brick
