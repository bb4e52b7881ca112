#include "sinew/solver/conjugate_gradients.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew::solver {
namespace {

// A chain of springs, one a node and direction, plus a mass: symmetric positive definite.
void apply_chain(const NodalVector& in, NodalVector& out) {
  out.resize(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = in[i] * 2.1;
    if (i > 0) out[i] -= in[i - 1];
    if (i + 1 < in.size()) out[i] -= in[i + 1];
  }
}

NodalVector make_solution(std::size_t n) {
  NodalVector x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    x[i] = {std::sin(t), std::cos(3 * t), 1 / (1 + t)};
  }
  return x;
}

TEST(ConjugateGradients, FindsTheSolution) {
  const NodalVector expected = make_solution(300);
  NodalVector b, x(300);
  apply_chain(expected, b);
  CgWorkspace ws;
  const std::vector<double> inverse_diagonal(300, 1 / 2.1);
  const CgReport report =
      conjugate_gradients(apply_chain, inverse_diagonal, b, {1e-12, 500}, x, ws);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.residual, 1e-12);
  for (std::size_t i = 0; i < 300; ++i) EXPECT_LT(norm(x[i] - expected[i]), 1e-10);
}

TEST(ConjugateGradients, AGuessThatIsRightNeedsNoIteration) {
  const NodalVector expected = make_solution(50);
  NodalVector b, x = expected;
  apply_chain(expected, b);
  CgWorkspace ws;
  EXPECT_EQ(conjugate_gradients(apply_chain, std::vector<double>(50, 1.0), b, {1e-9, 100}, x, ws)
                .iterations,
            0);
}

TEST(ConjugateGradients, SaysWhenItDidNotConverge) {
  const NodalVector expected = make_solution(300);
  NodalVector b, x(300);
  apply_chain(expected, b);
  CgWorkspace ws;
  const CgReport report =
      conjugate_gradients(apply_chain, std::vector<double>(300, 1.0), b, {1e-12, 3}, x, ws);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_GT(report.residual, 1e-12);
}

TEST(ConjugateGradients, StopsOnWhatIsNotFinite) {
  NodalVector b(10, {1, 1, 1}), x(10);
  b[3].x = std::numeric_limits<double>::quiet_NaN();
  CgWorkspace ws;
  const CgReport report =
      conjugate_gradients(apply_chain, std::vector<double>(10, 1.0), b, {1e-9, 100}, x, ws);
  EXPECT_FALSE(report.converged);
  EXPECT_LT(report.iterations, 2);
}

}  // namespace
}  // namespace sinew::solver
