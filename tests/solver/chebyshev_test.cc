#include "sinew/solver/chebyshev.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/solver/field_algebra.h"

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

// The steps on a scalar problem with eigenvalue t and D = 1: the factor left of an error.
double error_factor(const std::vector<SmoothingStep>& steps, double t) {
  double before = 0, now = 1;
  for (const SmoothingStep& s : steps) {
    const double next = double{s.keep} * now + double{s.back} * before - double{s.step} * t * now;
    before = now;
    now = next;
  }
  return now;
}

TEST(Chebyshev, ThePolynomialIsTheSmallestOneOnItsInterval) {
  for (const int degree : {1, 2, 3, 5}) {
    const auto steps = make_chebyshev_steps(degree, 2.0, 8.0);
    EXPECT_EQ(steps.size(), static_cast<std::size_t>(degree));
    // 1 / T_n((1 + r) / (1 - r)) with r = 1/8, reached at both ends.
    const double bound = 1 / std::cosh(degree * std::acosh((1 + 0.125) / (1 - 0.125)));
    EXPECT_NEAR(std::abs(error_factor(steps, 2.0)), bound, 1e-6);
    EXPECT_NEAR(error_factor(steps, 0.25), bound, 1e-6);
    for (double t = 0.25; t <= 2.0; t += 0.01) {
      EXPECT_LE(std::abs(error_factor(steps, t)), bound + 1e-6);
    }
    EXPECT_NEAR(error_factor(steps, 0), 1, 1e-6);
  }
}

TEST(Chebyshev, EstimatesTheLargestEigenvalueWithinItsSafetyMargin) {
  const ElasticBody body = make_elastic_body(make_cube_mesh(6), 10);
  const BlockMatrix A = make_block_matrix(body.entries);
  const BlockDiagonal D = make_inverse_diagonal(body.entries);
  const double estimate = estimate_largest_eigenvalue(A, D);
  Field3f x = make_noise(A.num_rows, {}), y(A.num_rows);
  double converged = 0;
  for (int k = 0; k < 400; ++k) {
    multiply(A, x, y);
    const double energy = dot(x, y);
    multiply(D, 1.0F, y, x);
    converged = dot(x, y) / energy;
    scale(static_cast<float>(1 / converged), x);
  }
  EXPECT_LE(estimate, converged * (1 + 1e-5));
  EXPECT_GT(estimate, 0.9 * converged);
}

// Pairs of nodes (1 c; c 1), whose eigenvalues are 1 - c and 1 + c: c grows from zero to `most`,
// and one pair in the middle has its own.
BlockEntries make_pairs(float most, float own) {
  constexpr std::uint32_t kPairs = 2000;
  BlockEntries e;
  e.first.push_back(0);
  for (std::uint32_t i = 0; i < 2 * kPairs; ++i) {
    const std::uint32_t pair = i / 2;
    const float c = pair == kPairs / 2 ? own : most * static_cast<float>(pair) / kPairs;
    for (const std::uint32_t column : {2 * pair, 2 * pair + 1}) {
      const float value = column == i ? 1 : c;
      e.columns.push_back(column);
      e.blocks.push_back({value, 0, 0, 0, value, 0, 0, 0, value});
    }
    e.first.push_back(static_cast<std::uint32_t>(e.columns.size()));
  }
  return e;
}

// It stands out by as much as a few crushed cells do.
TEST(Chebyshev, FindsAnEigenvalueThatBelongsToFewNodes) {
  const BlockEntries e = make_pairs(0.7F, 0.9F);
  const double estimate =
      estimate_largest_eigenvalue(make_block_matrix(e), make_inverse_diagonal(e));
  EXPECT_LE(estimate, 1.9 * (1 + 1e-5));
  EXPECT_GT(estimate, 0.99 * 1.9);
}

// As matrices become that are rounded to halves where stiff fibres lie beside soft matrix.
TEST(Chebyshev, NegativeEigenvaluesDoNotHideTheLargest) {
  const BlockEntries e = make_pairs(1.9F, 1.9F);
  const double estimate =
      estimate_largest_eigenvalue(make_block_matrix(e), make_inverse_diagonal(e));
  EXPECT_LE(estimate, 2.9 * (1 + 1e-5));
  EXPECT_GT(estimate, 0.98 * 2.9);
}

TEST(Chebyshev, AZeroMatrixHasEigenvalueOne) {
  BlockEntries e = make_random_entries(5, 2, 1);
  for (Block& block : e.blocks) block = {};
  EXPECT_EQ(estimate_largest_eigenvalue(make_block_matrix(e), make_inverse_diagonal(e)), 1);
}

TEST(Chebyshev, SmoothingFromZeroIsSmoothingOfAZeroField) {
  const BlockEntries e = make_random_entries(40, 5, 2);
  const BlockMatrix A = make_block_matrix(e);
  const BlockDiagonal D = make_inverse_diagonal(e);
  const Field3f b = make_noise(40, {});
  for (const int degree : {1, 2, 3}) {
    const auto steps = make_chebyshev_steps(degree, 1.5, 4);
    Field3f x = make_noise(40, {}, 1), y(40), other = make_noise(40, {}, 2);
    smooth_from_zero(A, D, steps, b, x, other);
    smooth(A, D, steps, b, y, other);
    add_scaled(-1.0F, x, y);
    EXPECT_LT(dot(y, y), 1e-12 * dot(x, x));
  }
}

}  // namespace
}  // namespace sinew::solver
