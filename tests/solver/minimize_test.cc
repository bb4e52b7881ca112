#include "sinew/solver/minimize.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::solver {
namespace {

// A chain of springs with a quartic term between neighbours, its ends pulled: convex, not
// quadratic. `bend` < 0 makes it concave near rest, so that Newton's method meets negative
// curvature.
struct Chain {
  double bend = 1;
  std::size_t size = 40;

  double evaluate(const Field3d& x, Field3d& gradient) const {
    double energy = 0;
    gradient.set_zero();
    for (std::size_t n = 0; n + 1 < size; ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at = c * x.stride() + n;
        const double d = x.values()[at + 1] - x.values()[at];
        energy += 0.5 * bend * d * d + 0.25 * d * d * d * d;
        const double slope = bend * d + d * d * d;
        gradient.values()[at + 1] += slope;
        gradient.values()[at] -= slope;
      }
    }
    for (std::size_t n = 0; n < size; ++n) {  // a load, and a soft hold that makes it unique
      const double load = 0.1 * std::sin(static_cast<double>(n));
      energy += 0.05 * dot(x[n], x[n]) - load * x[n].x;
      gradient.set(n, gradient[n] + x[n] * 0.1 - Vec3d{load, 0, 0});
    }
    return energy;
  }

  void apply_tangent(const Field3d& x, const Field3f& d, bool projected, Field3f& image) const {
    image.set_zero();
    for (std::size_t n = 0; n + 1 < size; ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at = c * x.stride() + n;
        const double s = x.values()[at + 1] - x.values()[at];
        double k = bend + 3 * s * s;
        if (projected) k = std::max(k, 0.0);
        const auto f = static_cast<float>(k * (d.values()[at + 1] - d.values()[at]));
        image.values()[at + 1] += f;
        image.values()[at] -= f;
      }
    }
    for (std::size_t n = 0; n < size; ++n) image.set(n, image[n] + d[n] * 0.1F);
  }

  Objective objective() const {
    return {[this](const Field3d& x, Field3d& g) { return evaluate(x, g); },
            [](const Field3f& g, Field3f& z) { z = g; },
            [this](const Field3d& x, const Field3f& d, bool projected, Field3f& image) {
              apply_tangent(x, d, projected, image);
            }};
  }
};

double gradient_size(const Chain& chain, const Field3d& x) {
  Field3d gradient(x.size());
  chain.evaluate(x, gradient);
  double sum = 0;
  for (const double v : gradient.values()) sum += v * v;
  return std::sqrt(sum);
}

TEST(Minimize, LbfgsReachesItsToleranceAndSaysHow) {
  const Chain chain;
  Field3d x(chain.size);
  const double first = gradient_size(chain, x);
  MinimizeWorkspace workspace;
  MinimizeSettings settings;
  settings.tolerance = 1e-4;
  const MinimizeReport report = minimize(chain.objective(), settings, x, workspace);
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(report.reason.empty());
  EXPECT_LE(report.size, 1e-4 * report.first_size);
  EXPECT_LT(gradient_size(chain, x), 1e-2 * first);
  EXPECT_EQ(report.newton_iterations, 0);
  EXPECT_NEAR(report.gradient, gradient_size(chain, x), 1e-12);
}

TEST(Minimize, TheResidualCountsFromWhatTheToleranceCountsFrom) {
  const Chain chain;
  Field3d x(chain.size);
  MinimizeWorkspace workspace;
  MinimizeSettings settings;
  settings.tolerance = 1e-4;
  const MinimizeReport solved = minimize(chain.objective(), settings, x, workspace);
  EXPECT_DOUBLE_EQ(solved.residual, solved.size / solved.first_size);
  // The solution once more, where its size is small in any case: nothing to solve, nothing left.
  settings.least_size = 2 * solved.size;
  const MinimizeReport still = minimize(chain.objective(), settings, x, workspace);
  EXPECT_TRUE(still.converged);
  EXPECT_EQ(still.iterations, 0);
  EXPECT_GT(still.size, 0);
  EXPECT_LE(still.residual, settings.tolerance);
  // A solve that was cut short is not below its tolerance.
  settings.least_size = 0;
  settings.max_iterations = 2;
  Field3d far(chain.size);
  EXPECT_GT(minimize(chain.objective(), settings, far, workspace).residual, settings.tolerance);
}

TEST(Minimize, NewtonGoesOnToRounding) {
  const Chain chain;
  Field3d x(chain.size);
  MinimizeWorkspace workspace;
  MinimizeSettings settings;
  settings.tolerance = 1e-9;
  settings.newton_below = 1e-2;
  const MinimizeReport report = minimize(chain.objective(), settings, x, workspace);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.newton_iterations, 0);
  EXPECT_LT(report.gradient, 2e-9 * report.first_gradient);
}

TEST(Minimize, NegativeCurvatureIsProjected) {
  Chain chain;
  chain.bend = -1;
  Field3d x(chain.size);
  for (std::size_t n = 0; n < chain.size; ++n) x.set(n, {0.01 * static_cast<double>(n % 3), 0, 0});
  MinimizeWorkspace workspace;
  MinimizeSettings settings;
  settings.tolerance = 1e-8;
  settings.newton_below = 2;  // from the start
  Field3d before(chain.size);
  const double energy = chain.evaluate(x, before);
  const MinimizeReport report = minimize(chain.objective(), settings, x, workspace);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_GT(report.projections, 0);
  EXPECT_LT(chain.evaluate(x, before), energy);
}

TEST(Minimize, NeverStopsSilently) {
  const Chain chain;
  Field3d x(chain.size);
  MinimizeWorkspace workspace;
  MinimizeSettings settings;
  settings.tolerance = 1e-10;
  settings.max_iterations = 2;
  const MinimizeReport report = minimize(chain.objective(), settings, x, workspace);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.reason, "the limit of L-BFGS iterations is reached");
}

TEST(Minimize, AnEnergyThatIsNotFiniteIsRefused) {
  Chain chain;
  Objective objective = chain.objective();
  objective.evaluate = [](const Field3d&, Field3d&) { return std::nan(""); };
  Field3d x(chain.size);
  MinimizeWorkspace workspace;
  const MinimizeReport report = minimize(objective, {}, x, workspace);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.reason.empty());
}

// The approximate inverse is a bad one until it is made anew, which is then exact: one iteration
// more is enough.
TEST(Minimize, ASlowSolveMakesItsApproximateInverseAnew) {
  constexpr std::size_t kSize = 50;
  const auto stiffness = [](std::size_t n) { return std::pow(10.0, static_cast<double>(n % 5)); };
  bool fresh = false;
  Objective objective;
  objective.evaluate = [&](const Field3d& x, Field3d& gradient) {
    double energy = 0;
    for (std::size_t n = 0; n < kSize; ++n) {
      const Vec3d away = x[n] - Vec3d{1, static_cast<double>(n), 0};
      energy += 0.5 * stiffness(n) * dot(away, away);
      gradient.set(n, away * stiffness(n));
    }
    return energy;
  };
  objective.precondition = [&](const Field3f& g, Field3f& z) {
    for (std::size_t n = 0; n < kSize; ++n) {
      z.set(n, g[n] * static_cast<float>(fresh ? 1 / stiffness(n) : 1e-4));
    }
  };
  objective.refresh = [&](const Field3d&) { fresh = true; };
  MinimizeSettings settings;
  settings.tolerance = 1e-4;
  settings.refresh_every = 3;
  Field3d x(kSize);
  MinimizeWorkspace workspace;
  const MinimizeReport report = minimize(objective, settings, x, workspace);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.refreshes, 1);
  EXPECT_LE(report.iterations, 3 + 2);
  EXPECT_NEAR(x[7].y, 7, 1e-3);
}

}  // namespace
}  // namespace sinew::solver
