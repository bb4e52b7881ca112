#include "sinew/solver/preconditioned_cg.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/solver/field_algebra.h"

#include "elastic_lattice.h"
#include "random_matrix.h"

namespace sinew::solver {
namespace {

const FieldOperator kIdentity = [](const Field3f& in, Field3f& out) { copy(in, out); };

TEST(PreconditionedCg, FindsTheSolution) {
  const BlockEntries e = make_random_entries(80, 6, 2);
  const BlockMatrix A = make_block_matrix(e);
  const BlockDiagonal D = make_inverse_diagonal(e);
  const Field3f expected = make_noise(80, {});
  Field3f b(80), x;
  multiply(A, expected, b);
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(
      [&](const Field3f& in, Field3f& out) { multiply(A, in, out); },
      [&](const Field3f& in, Field3f& out) { multiply(D, 1.0F, in, out); }, b, {1e-6, 100}, x, ws);
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.negative_curvature);
  EXPECT_GT(report.iterations, 1);
  EXPECT_LE(report.residual, 1e-6);
  add_scaled(-1.0F, expected, x);
  EXPECT_LT(std::sqrt(dot(x, x) / dot(expected, expected)), 1e-5);
}

TEST(PreconditionedCg, ARightSideOfZeroNeedsNoIteration) {
  Field3f x;
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(kIdentity, kIdentity, Field3f(5), {}, x, ws);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(dot(x, x), 0);
}

// diag(1, .., 1, -1): one direction of negative curvature.
void apply_indefinite(const Field3f& in, Field3f& out) {
  copy(in, out);
  const std::size_t last = in.size() - 1;
  out.set(last, -in[last]);
}

TEST(PreconditionedCg, NegativeCurvatureAtOnceGivesThePreconditionedRightSide) {
  Field3f b(4), x;
  b.set(3, {1, 2, 3});
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(apply_indefinite, kIdentity, b, {}, x, ws);
  EXPECT_TRUE(report.negative_curvature);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(x.values(), b.values());
}

TEST(PreconditionedCg, NegativeCurvatureLaterGivesADescentDirection) {
  Field3f b(4), x;
  for (std::size_t n = 0; n < 4; ++n) b.set(n, {1, 1, 1});
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(
      [](const Field3f& in, Field3f& out) {
        apply_indefinite(in, out);
        out.set(0, 5.0F * in[0]);
      },
      kIdentity, b, {1e-6, 50}, x, ws);
  EXPECT_TRUE(report.negative_curvature);
  EXPECT_GE(report.iterations, 1);
  EXPECT_GT(dot(b, x), 0);
}

TEST(PreconditionedCg, SaysWhenItDidNotConverge) {
  const BlockMatrix A = make_block_matrix(make_random_entries(80, 6, 2));
  Field3f x;
  PcgWorkspace ws;
  const PcgReport report =
      preconditioned_cg([&](const Field3f& in, Field3f& out) { multiply(A, in, out); }, kIdentity,
                        make_noise(80, {}), {1e-6, 2}, x, ws);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_GT(report.residual, 1e-6);
}

TEST(PreconditionedCg, StopsOnWhatIsNotFinite) {
  Field3f b = make_noise(10, {}), x;
  b.set(3, {std::numeric_limits<float>::quiet_NaN(), 0, 0});
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(kIdentity, kIdentity, b, {}, x, ws);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(dot(x, x), 0);
}

TEST(PreconditionedCg, ToleranceMayBeAgainstAGivenScale) {
  Field3f b = make_noise(10, {}), x;
  PcgWorkspace ws;
  const PcgReport report = preconditioned_cg(kIdentity, kIdentity, b, {1e-3, 10, 1e9}, x, ws);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
}

}  // namespace
}  // namespace sinew::solver
