#include "sinew/activation/force_distribution.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/skeleton/pseudo_inverse.h"
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

TEST(ForceDistribution, OneJointHasAClosedFormHoweverLittleIsWanted) {
  // Stationarity: a_j^(p-1) goes with the torque, so that a_j = s T_j^(1/(p-1)).
  const std::vector<double> torques = {30, 18, 9, 2};
  for (const double p : {1.5, 3.0, 5.0, 10.0, 20.0}) {
    double of_unit = 0;
    for (const double torque : torques) of_unit += torque * std::pow(torque, 1 / (p - 1));
    for (const double moment : {1e-4, 0.01, 1.0, 15.0}) {
      PoseDemand demand{solver::DenseMatrix(1, 4), {moment}, {59}, {0, 0, 0, 0}, {1, 1, 1, 1}};
      demand.torques.values = torques;
      const PoseActivation pose = distribute(demand, {p, 1e8}, {});
      EXPECT_TRUE(pose.solved) << p;
      for (std::size_t j = 0; j < 4; ++j) {
        const double wanted = moment / of_unit * std::pow(torques[j], 1 / (p - 1));
        // The reserve takes about p/weight of the moment.
        EXPECT_NEAR(pose.activations[j], wanted, 1e-6 * wanted + 1e-8 * moment) << p;
      }
    }
  }
}

// Moments that activations of up to `size` supply.
PoseDemand make_random_demand(std::mt19937& random, std::size_t m, std::size_t n, double size) {
  std::uniform_real_distribution<double> torque(-30, 30), part(0, 1);
  PoseDemand demand{solver::DenseMatrix(m, n), std::vector<double>(m), std::vector<double>(m, 1.0),
                    std::vector<double>(n, 0.0), std::vector<double>(n, 1.0)};
  std::vector<double> known(n);  // a way to supply the moments
  for (double& a : known) a = size * part(random);
  for (std::size_t i = 0; i < m; ++i) {
    for (double& entry : demand.torques.row(i)) {
      entry = part(random) < 0.6 ? torque(random) : 0;
      demand.reserve_scales[i] += std::abs(entry);
    }
  }
  demand.moments = solver::multiply(demand.torques, known);
  return demand;
}

// How far activations are from the conditions of Karush, Kuhn and Tucker of min sum of (a/M)^p,
// torques a = moments, relative to the largest slope; multipliers by least squares from the slopes
// of muscles between their bounds.
double compute_power_error(const PoseDemand& demand, const std::vector<double>& a, double p) {
  const std::size_t m = demand.moments.size(), n = a.size();
  const double most = *std::max_element(a.begin(), a.end());
  skeleton::DenseMatrix A;
  std::vector<double> slopes, all;
  for (std::size_t j = 0; j < n; ++j) {
    all.push_back(std::pow(a[j] / most, p - 1));
    if (a[j] <= 0 || a[j] >= 1) continue;
    slopes.push_back(all.back());
    for (std::size_t i = 0; i < m; ++i) A.values.push_back(demand.torques(i, j));
  }
  A.rows = slopes.size();
  A.columns = m;
  const std::vector<double> prices =
      skeleton::solve_least_squares(skeleton::make_pseudo_inverse(A, 1e-12), slopes, 0);
  const std::vector<double> paid = solver::multiply_transposed(demand.torques, prices);
  double error = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double z = all[j] - paid[j];
    if (a[j] <= 0) z = std::min(z, 0.0);
    if (a[j] >= 1) z = std::max(z, 0.0);
    error = std::max(error, std::abs(z));
  }
  return error;
}

TEST(ForceDistribution, LargeExponentsMeetTheConditionsOfAMinimum) {
  int solved = 0, total = 0;
  for (const double p : {3.0, 5.0, 8.0, 10.0, 15.0, 20.0}) {
    for (const double size : {1.0, 0.01, 1e-4}) {
      std::mt19937 random(1997);
      for (int k = 0; k < 20; ++k) {
        const std::size_t m = 1 + static_cast<std::size_t>(k) % 4;
        const PoseDemand demand = make_random_demand(random, m, m + 5, size);
        const PoseActivation pose = distribute(demand, {p, 1e6}, {});
        ++total;
        if (!pose.solved) continue;
        ++solved;
        // kOptimal, and what prices lose to slopes near zero.
        EXPECT_LT(compute_power_error(demand, pose.activations, p), 1e-6) << p << " " << size;
        EXPECT_GT(*std::max_element(pose.activations.begin(), pose.activations.end()), 0.01 * size);
      }
    }
  }
  EXPECT_EQ(solved, total);
}

TEST(ForceDistribution, AReserveWithoutMusclesHidesNothing) {
  // A root with a force of 700 N and no muscle, beside the joints.
  const PoseDemand joints = make_demand();
  PoseDemand demand = joints;
  demand.torques = solver::DenseMatrix(3, 5);
  std::copy(joints.torques.values.begin(), joints.torques.values.end(),
            demand.torques.values.begin());
  demand.moments.push_back(700);
  demand.reserve_scales.push_back(1);
  for (const double p : {3.0, 10.0, 20.0}) {
    const PoseActivation pose = distribute(demand, {p, 1e6}, {});
    const PoseActivation alone = distribute(joints, {p, 1e6}, {});
    EXPECT_TRUE(pose.solved) << p;
    EXPECT_DOUBLE_EQ(pose.reserves[2], 700);
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(pose.activations[j], alone.activations[j], 1e-6) << p;
    }
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
