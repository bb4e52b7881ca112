#include "sinew/solver/dense_matrix.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace sinew::solver {
namespace {

DenseMatrix make_random(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  DenseMatrix A(rows, columns);
  for (double& a : A.values) a = static_cast<double>(random()) / 4294967296.0 - 0.5;
  return A;
}

DenseMatrix product(const DenseMatrix& A, const DenseMatrix& B) {
  DenseMatrix C(A.rows, B.columns);
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < B.columns; ++j) {
      for (std::size_t k = 0; k < A.columns; ++k) C(i, j) += A(i, k) * B(k, j);
    }
  }
  return C;
}

DenseMatrix transposed(const DenseMatrix& A) {
  DenseMatrix T(A.columns, A.rows);
  for (std::size_t i = 0; i < A.rows; ++i) {
    for (std::size_t j = 0; j < A.columns; ++j) T(j, i) = A(i, j);
  }
  return T;
}

TEST(DenseMatrix, SolvesByCholeskyFactors) {
  const DenseMatrix G = make_random(7, 9, 1);
  const DenseMatrix A = product(G, transposed(G));
  const std::vector<double> x = {1, -2, 3, -4, 5, -6, 7};
  std::vector<double> solved = multiply(A, x);
  DenseMatrix L = A;
  EXPECT_EQ(factorise_cholesky(L, 1e-12), 0U);
  solve_cholesky(L, solved);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solved[i], x[i], 1e-10);
}

TEST(DenseMatrix, LeavesDependentRowsOut) {
  const DenseMatrix G = make_random(6, 4, 2);  // rank 4
  const DenseMatrix A = product(G, transposed(G));
  const std::vector<double> b = multiply(A, std::vector<double>{1, 2, 3, 4, 5, 6});
  DenseMatrix L = A;
  EXPECT_EQ(factorise_cholesky(L, 1e-12), 2U);
  std::vector<double> x = b;
  solve_cholesky(L, x);
  const std::vector<double> back = multiply(A, x);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(back[i], b[i], 1e-10);
  DenseMatrix indefinite(1, 1);
  indefinite(0, 0) = -1;
  EXPECT_EQ(factorise_cholesky(indefinite, 0), 1U);
}

}  // namespace
}  // namespace sinew::solver
