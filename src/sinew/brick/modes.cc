#include "sinew/brick/modes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsShiftSolver.h>
#include <fmt/format.h>

#include "sinew/brick/direct_solver.h"
#include "sinew/brick/static_solution.h"
#include "sinew/core/error.h"

namespace sinew::brick {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr Eigen::Index kAlwaysDense = 120;  // unknowns
// Modes below this part of the stiffest of a few are rigid: rounding of K leaves 1e-13 of its norm.
constexpr double kRigid = 1e-9;

Sparse to_eigen(const SparseMatrix& A, std::size_t block) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(A.values.size() * block);
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t k = A.first[i]; k < A.first[i + 1]; ++k) {
      for (std::size_t c = 0; c < block; ++c) {
        entries.emplace_back(static_cast<int>(block * i + c),
                             static_cast<int>(block * A.columns[k] + c), A.values[k]);
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(block * A.rows());
  Sparse out(n, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// (K - sigma M)^-1 for Spectra, with Eigen's sparse LDL^T: K - sigma M is positive definite for
// sigma below the lowest eigenvalue.
class ShiftInvert {
 public:
  using Scalar = double;
  ShiftInvert(const Sparse& K, const Sparse& M) : K_(K), M_(M) {}
  Eigen::Index rows() const { return K_.rows(); }
  Eigen::Index cols() const { return K_.cols(); }
  void set_shift(double sigma) {
    const Sparse shifted = K_ - sigma * M_;
    solver_.compute(shifted);
    if (solver_.info() != Eigen::Success) {
      throw std::invalid_argument("the stiffness of the mesh cannot be factorised");
    }
  }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const Eigen::VectorXd> in(x, rows());
    Eigen::Map<Eigen::VectorXd>(y, rows()) = solver_.solve(in);
  }

 private:
  const Sparse& K_;
  const Sparse& M_;
  Eigen::SimplicialLDLT<Sparse> solver_;
};

// Numbers that solvers keep at once: 0.3 GB, and a minute of a dense one.
constexpr double kMostNumbers = 4e7;

bool is_dense(Eigen::Index unknowns, Eigen::Index count) {
  return unknowns <= kAlwaysDense || 4 * count > unknowns;
}

Eigen::Index basis_of(Eigen::Index unknowns, Eigen::Index count) {
  return std::min(unknowns, 2 * count + 20);
}

void check_size(Eigen::Index unknowns, Eigen::Index count) {
  const auto n = static_cast<double>(unknowns);
  const bool dense = is_dense(unknowns, count);
  const double numbers = dense ? 4 * n * n : n * static_cast<double>(basis_of(unknowns, count));
  if (numbers <= kMostNumbers) return;
  const double most = std::min(n / 4, 0.5 * (kMostNumbers / n - 20)) - 6;
  throw std::invalid_argument(
      fmt::format("{} modes of {} unknowns are too many to find; give \"modes\", at most {:.0f}, "
                  "or fewer bricks",
                  count == unknowns ? "all" : fmt::format("{}", count), unknowns,
                  std::floor(std::max(most, 1.0))));
}

struct Pairs {
  Eigen::VectorXd values;   // increasing
  Eigen::MatrixXd vectors;  // M-orthonormal columns
};

Pairs solve_dense(const Sparse& K, const Sparse& M, Eigen::Index count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(K),
                                                                         Eigen::MatrixXd(M)};
  if (solver.info() != Eigen::Success) {
    throw std::invalid_argument("the modes of the mesh do not converge");
  }
  return {solver.eigenvalues().head(count), solver.eigenvectors().leftCols(count)};
}

// A shift below zero makes a free body's matrix definite; the trace sets the scale.
double choose_shift(const Sparse& K, const Sparse& M) {
  return -1e-6 * K.diagonal().sum() / M.diagonal().sum();
}

Pairs solve_sparse(const Sparse& K, const Sparse& M, Eigen::Index count) {
  ShiftInvert inverse(K, M);
  Spectra::SparseSymMatProd<double> mass(M);
  const Eigen::Index basis = basis_of(K.rows(), count);
  Spectra::SymGEigsShiftSolver<ShiftInvert, Spectra::SparseSymMatProd<double>,
                               Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, count, basis, choose_shift(K, M));
  solver.init();
  const Eigen::Index found =
      solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful || found < count) {
    throw std::invalid_argument("the modes of the mesh do not converge");
  }
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// Signs and lengths that do not depend on how a vector was found.
void normalise(const Sparse& M, Eigen::MatrixXd& vectors) {
  for (Eigen::Index j = 0; j < vectors.cols(); ++j) {
    Eigen::Index largest = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&largest);
    const double length = std::sqrt(vectors.col(j).dot(M * vectors.col(j)));
    vectors.col(j) *= (vectors(largest, j) < 0 ? -1 : 1) / length;
  }
}

}  // namespace

Modes compute_modes(const Matrices& matrices, std::span<const char> held, std::size_t count) {
  std::vector<char> free_nodes(held.size());
  std::transform(held.begin(), held.end(), free_nodes.begin(),
                 [](char h) -> char { return h == 0 ? 1 : 0; });
  const auto unknowns =
      static_cast<Eigen::Index>(3 * std::count(free_nodes.begin(), free_nodes.end(), 1));
  SINEW_CHECK(unknowns > 0 && count > 0, "modes need nodes that move");
  const Eigen::Index wanted = std::min(static_cast<Eigen::Index>(count), unknowns);
  check_size(unknowns, wanted);
  const Sparse K = to_eigen(restrict_to(matrices.stiffness, free_components(held)), 1);
  const Sparse M = to_eigen(restrict_to(matrices.mass, free_nodes), 3);
  const bool dense = is_dense(unknowns, wanted);
  Pairs pairs = dense ? solve_dense(K, M, wanted) : solve_sparse(K, M, wanted);
  normalise(M, pairs.vectors);
  Modes out;
  const double scale = K.diagonal().sum() / M.diagonal().sum();
  for (Eigen::Index j = 0; j < wanted; ++j) {
    const double square = pairs.values[j];
    if (square < kRigid * scale) ++out.num_rigid;
    out.frequencies.push_back(std::sqrt(std::max(square, 0.0)));
    std::vector<Vec3d>& shape = out.shapes.emplace_back(held.size());
    Eigen::Index row = 0;
    for (std::size_t n = 0; n < held.size(); ++n) {
      if (held[n] != 0) continue;
      shape[n] = {pairs.vectors(row, j), pairs.vectors(row + 1, j), pairs.vectors(row + 2, j)};
      row += 3;
    }
  }
  return out;
}

}  // namespace sinew::brick
