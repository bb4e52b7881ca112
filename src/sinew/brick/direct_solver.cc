#include "sinew/brick/direct_solver.h"

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>

#include "sinew/core/error.h"

namespace sinew::brick {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

std::vector<double> multiply_lower(std::span<const double> X, std::span<const double> Y,
                                   std::size_t count) {
  std::vector<double> out(count * count, 0.0);
  if (count == 0) return out;
  const auto m = static_cast<Eigen::Index>(count);
  const auto n = static_cast<Eigen::Index>(X.size() / count);
  const Eigen::Map<const Dense> x(X.data(), m, n), y(Y.data(), m, n);
  Eigen::Map<Dense>(out.data(), m, m).triangularView<Eigen::Lower>() = x * y.transpose();
  return out;
}

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

std::vector<double> DirectSolver::compute_response(std::span<const double> B,
                                                   std::size_t count) const {
  const auto n = static_cast<Eigen::Index>(impl_->rows);
  const auto m = static_cast<Eigen::Index>(count);
  SINEW_CHECK(B.size() == impl_->rows * count, "rows are as long as the matrix");
  if (count == 0) return {};  // Eigen would look at a first number
  const auto& order = impl_->factor.permutationP().indices();
  // A^-1 = P^T L^-T D^-1 L^-1 P: with Y = L^-1 P B^T the response is Y^T D^-1 Y.
  Dense Y(n, m);
  const Eigen::Map<const Dense> rows(B.data(), m, n);
  for (Eigen::Index i = 0; i < n; ++i) Y.row(order.size() > 0 ? order[i] : i) = rows.col(i);
  const Matrix& L = impl_->factor.matrixL().nestedExpression();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (Y.row(j).isZero(0)) continue;
    for (Matrix::InnerIterator it(L, j); it; ++it) {
      if (it.row() > j) Y.row(it.row()) -= it.value() * Y.row(j);
    }
  }
  std::vector<double> out(count * count, 0.0);
  const Dense scaled = impl_->factor.vectorD().cwiseInverse().asDiagonal() * Y;
  Eigen::Map<Dense>(out.data(), m, m).triangularView<Eigen::Lower>() = Y.transpose() * scaled;
  return out;
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
