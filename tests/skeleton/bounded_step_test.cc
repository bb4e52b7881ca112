#include "sinew/skeleton/bounded_step.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

struct Case {
  DenseMatrix h;
  std::vector<double> g, low, high;
};

Case make_case(std::mt19937& random, std::size_t n) {
  std::uniform_real_distribution<double> any(-1, 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  DenseMatrix root;
  root.assign(n + 2, n, 0);
  for (double& v : root.values) v = any(random);
  Case out;
  compute_normal_matrix(root, out.h);
  for (std::size_t i = 0; i < n; ++i) {
    out.g.push_back(any(random));
    out.low.push_back(i % 4 == 0 ? 0 : (i % 4 == 1 ? -kInfinity : -0.3 * std::abs(any(random))));
    out.high.push_back(i % 5 == 0 ? 0 : (i % 5 == 1 ? kInfinity : 0.3 * std::abs(any(random))));
  }
  return out;
}

// The largest violation of the conditions of a least value within a box.
double find_violation(const Case& c, const std::vector<double>& d) {
  double worst = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    double slope = c.g[i];
    for (std::size_t j = 0; j < d.size(); ++j) slope += c.h(i, j) * d[j];
    worst = std::max({worst, c.low[i] - d[i], d[i] - c.high[i]});
    if (d[i] > c.low[i]) worst = std::max(worst, slope);    // could still go down
    if (d[i] < c.high[i]) worst = std::max(worst, -slope);  // could still go up
  }
  return worst;
}

TEST(BoundedStep, MeetsTheConditionsOfALeastValueInRandomBoxes) {
  std::mt19937 random(7);
  BoxWorkspace workspace;
  std::vector<double> d;
  std::size_t held = 0;
  for (std::size_t n = 1; n <= 300; ++n) {
    const Case c = make_case(random, 1 + n % 23);
    ASSERT_TRUE(minimize_in_box(c.h, c.g, c.low, c.high, workspace, d));
    // Rounding of solves with condition numbers up to about 1e4.
    EXPECT_LT(find_violation(c, d), 1e-11) << "case " << n;
    for (std::size_t i = 0; i < d.size(); ++i) held += d[i] == c.low[i] || d[i] == c.high[i];
  }
  EXPECT_GT(held, 500u);  // the boxes matter
}

TEST(BoundedStep, RefusesAMatrixThatIsNotPositiveDefinite) {
  DenseMatrix h;
  h.assign(2, 2, 1);  // singular
  BoxWorkspace workspace;
  std::vector<double> d;
  EXPECT_FALSE(minimize_in_box(h, {1, 2}, {-1, -1}, {1, 1}, workspace, d));
}

}  // namespace
}  // namespace sinew::skeleton
