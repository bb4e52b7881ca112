#include "sinew/brick/direct_solver.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

#include "sinew/core/error.h"

namespace sinew::brick {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

Matrix lower_half(const SparseMatrix& A) {
  const auto n = static_cast<Eigen::Index>(A.rows());
  // Rows of a symmetric matrix are its columns.
  Matrix out(n, n);
  Eigen::VectorXi counts(n);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    int count = 0;
    for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k) count += A.columns[k] >= i ? 1 : 0;
    counts[static_cast<Eigen::Index>(i)] = count;
  }
  out.reserve(counts);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k) {
      if (A.columns[k] < i) continue;
      out.insert(static_cast<int>(A.columns[k]), static_cast<int>(i)) = A.values[k];
    }
  }
  out.makeCompressed();
  return out;
}

// New values in the same places.
void refill(const SparseMatrix& A, Matrix& lower) {
  double* to = lower.valuePtr();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k) {
      if (A.columns[k] >= i) *to++ = A.values[k];
    }
  }
}

}  // namespace

struct DirectSolver::Impl {
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> factor;
  Matrix lower;
  std::size_t rows = 0, entries = 0;
};

DirectSolver::DirectSolver() : impl_(std::make_unique<Impl>()) {}
DirectSolver::~DirectSolver() = default;

bool DirectSolver::factorise(const SparseMatrix& A) {
  if (impl_->rows != A.rows() || impl_->entries != A.values.size()) {
    impl_->lower = lower_half(A);
    impl_->factor.analyzePattern(impl_->lower);
    impl_->rows = A.rows();
    impl_->entries = A.values.size();
  } else {
    refill(A, impl_->lower);
  }
  impl_->factor.factorize(impl_->lower);
  return impl_->factor.info() == Eigen::Success;
}

std::vector<double> DirectSolver::solve(std::span<const double> b) const {
  SINEW_CHECK(b.size() == impl_->rows, "the right side has as many rows as the matrix");
  const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(b.size()));
  std::vector<double> x(b.size());
  Eigen::Map<Eigen::VectorXd>(x.data(), right.size()) = impl_->factor.solve(right);
  return x;
}

std::size_t DirectSolver::num_negative_pivots() const {
  return static_cast<std::size_t>((impl_->factor.vectorD().array() < 0).count());
}

SparseMatrix restrict_to(const SparseMatrix& A, std::span<const char> kept) {
  std::vector<std::uint32_t> number(A.rows());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = kept[i] != 0 ? count++ : 0;
  SparseMatrix out;
  out.first.push_back(0);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    if (kept[i] == 0) continue;
    for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k) {
      if (kept[A.columns[k]] == 0) continue;
      out.columns.push_back(number[A.columns[k]]);
      out.values.push_back(A.values[k]);
    }
    out.first.push_back(out.columns.size());
  }
  return out;
}

}  // namespace sinew::brick
