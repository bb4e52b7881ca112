#include "sinew/brick/sparse_matrix.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::brick {

std::vector<double> multiply(const SparseMatrix& A, std::span<const double> x) {
  std::vector<double> y(A.rows());
  parallel_for(y.size(), 2048, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double sum = 0;
      for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k)
        sum += A.values[k] * x[A.columns[k]];
      y[i] = sum;
    }
  });
  return y;
}

std::size_t find_entry(const SparseMatrix& A, std::uint32_t row, std::uint32_t column) {
  const auto begin = A.columns.begin() + static_cast<std::ptrdiff_t>(A.first[row]);
  const auto end = A.columns.begin() + static_cast<std::ptrdiff_t>(A.first[row + 1]);
  const auto at = std::lower_bound(begin, end, column);
  SINEW_CHECK(at != end && *at == column, "the matrix has no such entry");
  return static_cast<std::size_t>(at - A.columns.begin());
}

}  // namespace sinew::brick
