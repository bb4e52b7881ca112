#include "sinew/activation/force_distribution.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/solver/active_set_qp.h"

namespace sinew::activation {
namespace {

// Two joints and five muscles, two of them over both joints.
PoseDemand make_demand() {
  PoseDemand demand{
      solver::DenseMatrix(2, 5), {12, -5}, {100, 100}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}};
  demand.torques.values = {30, -25, 18, -10, 0,  //
                           0,  0,   12, -20, 15};
  return demand;
}

double supplied(const PoseDemand& demand, const PoseActivation& pose, std::size_t row) {
  return solver::dot(demand.torques.row(row), pose.activations) + pose.reserves[row];
}

TEST(ForceDistribution, SuppliesTheMomentsWithinBounds) {
  const PoseDemand demand = make_demand();
  const PoseActivation pose = distribute(demand, {}, {});
  EXPECT_TRUE(pose.solved);
  for (const double a : pose.activations) {
    EXPECT_GE(a, 0);
    EXPECT_LE(a, 1);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(supplied(demand, pose, i), demand.moments[i], 1e-12);
    EXPECT_LT(std::abs(pose.reserves[i]), 1e-3);
  }
}

TEST(ForceDistribution, NothingElseIsCheaperForAnyExponent) {
  const PoseDemand demand = make_demand();
  // Ways to change activations without changing moments: the null space of the torques.
  const double ways[3][5] = {{25, 30, 0, 0, 0}, {-0.6, 0, 1, 0, -0.8}, {1.0 / 3, 0, 0, 1, 4.0 / 3}};
  for (const double p : {1.5, 2.0, 3.0, 5.0}) {
    const PoseActivation pose = distribute(demand, {p, 1e9}, {});
    ASSERT_TRUE(pose.solved);
    const auto effort = [&](const double* way, double step) {
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        const double a = pose.activations[j] + step * way[j];
        if (a < 0 || a > 1) return HUGE_VAL;
        sum += std::pow(a, p);
      }
      return sum;
    };
    const double none[5] = {0, 0, 0, 0, 0};
    int tried = 0;
    for (const auto& way : ways) {
      for (const double step : {-1e-3, 1e-3, -1e-2, 1e-2}) {
        EXPECT_GE(effort(way, step), effort(none, 0) - 1e-12) << p;
        tried += std::isfinite(effort(way, step)) ? 1 : 0;
      }
    }
    EXPECT_GT(tried, 3);
  }
}

TEST(ForceDistribution, LargeExponentsShareTheLoad) {
  // Two muscles with the same action, one twice as strong: as p grows both go to the same
  // activation.
  PoseDemand demand{solver::DenseMatrix(1, 2), {15}, {30}, {0, 0}, {1, 1}};
  demand.torques.values = {20, 10};
  double last = HUGE_VAL;
  for (const double p : {2.0, 4.0, 10.0}) {
    const PoseActivation pose = distribute(demand, {p, 1e7}, {});
    // The minimum by hand: a1 / a2 = 2^(1 / (p - 1)).
    const double ratio = std::pow(2, 1 / (p - 1));
    EXPECT_NEAR(pose.activations[1], 15 / (20 * ratio + 10), 1e-5) << p;
    EXPECT_LT(pose.activations[0] - pose.activations[1], last);
    last = pose.activations[0] - pose.activations[1];
  }
}

TEST(ForceDistribution, ReservesTakeWhatIsOutOfReach) {
  PoseDemand demand = make_demand();
  demand.moments = {500, -5};
  const PoseActivation pose = distribute(demand, {}, {});
  EXPECT_TRUE(pose.solved);
  EXPECT_NEAR(supplied(demand, pose, 0), 500, 1e-9);
  EXPECT_GT(pose.reserves[0], 440);
  EXPECT_NEAR(pose.activations[0], 1, 1e-9);
}

TEST(ForceDistribution, DoesNotDependOnTheGuess) {
  const PoseDemand demand = make_demand();
  const PoseActivation a = distribute(demand, {}, {}), b = distribute(demand, {}, {1, 1, 1, 1, 1});
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(a.activations[j], b.activations[j], 1e-12);
  EXPECT_THROW(distribute(demand, {}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(distribute(demand, {0.5, 1}, {}), std::invalid_argument);
}

TEST(ForceDistribution, AnatomyMatrixIsTheSpecialCaseWithoutBounds) {
  solver::DenseMatrix arms(2, 5);
  arms.values = {0.04, -0.03, 0.02, 0,     0.01,  //
                 0,    0.01,  0.03, -0.02, 0.02};
  const std::vector<double> moments = {3, -2};
  const std::vector<double> forces = invert_anatomy_matrix(arms, moments);
  const std::vector<double> back = solver::multiply(arms, forces);
  EXPECT_NEAR(back[0], 3, 1e-12);
  EXPECT_NEAR(back[1], -2, 1e-12);
  const solver::QpProblem program{
      std::vector<double>(5, 1.0),       std::vector<double>(5, 0.0),     arms, moments,
      std::vector<double>(5, -HUGE_VAL), std::vector<double>(5, HUGE_VAL)};
  const solver::QpSolution solution = solver::solve_qp(program);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(forces[j], solution.x[j], 1e-9);
  // Some muscles would have to push: what bounds are for.
  EXPECT_LT(*std::min_element(forces.begin(), forces.end()), -1);
}

}  // namespace
}  // namespace sinew::activation
