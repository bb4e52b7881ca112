#include "sinew/material/musculotendon.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/material/activation_dynamics.h"

#include "shared_data.h"

namespace sinew::material {
namespace {

constexpr LineLaw kLaws[] = {LineLaw::kThelen, LineLaw::kMillard, LineLaw::kHill,
                             LineLaw::kDeGroote};

// About the long head of the biceps, but pennate.
MusculotendonParameters make_muscle(LineLaw law) {
  MusculotendonParameters muscle;
  muscle.shape.law = law;
  muscle.max_force = 600;
  muscle.optimal_length = 0.12;
  muscle.slack_length = 0.27;
  muscle.pennation = 0.3;
  return muscle;
}

double fiber_force(const MusculotendonParameters& m, const FiberState& state, double a) {
  const double relative = state.fiber_length / m.optimal_length;
  return m.max_force * state.cosine *
         (a * compute_active_force(m.shape, relative).value +
          compute_passive_force(m.shape, relative).value);
}

TEST(Musculotendon, FibresAndTendonPullAlikeInIsometricEquilibrium) {
  for (const LineLaw law : kLaws) {
    const MusculotendonParameters m = make_muscle(law);
    for (int i = 0; i <= 40; ++i) {
      for (const double a : {0.0, 0.01, 0.3, 1.0}) {
        const double length = 0.30 + 0.005 * i;
        const FiberState state = compute_isometric_state(m, length, a);
        // The tendon's slope (about 7e4 N/m) times the rounding of lengths is 1e-11 N.
        EXPECT_NEAR(state.tendon_force, fiber_force(m, state, a), 1e-8 * m.max_force);
        const double tendon = (length - state.projected_length) / m.slack_length;
        EXPECT_NEAR(state.tendon_force, m.max_force * compute_tendon_force(m.shape, tendon).value,
                    1e-8 * m.max_force);
        EXPECT_NEAR(std::hypot(state.projected_length, m.optimal_length * std::sin(m.pennation)),
                    state.fiber_length, 1e-15);
      }
    }
  }
}

TEST(Musculotendon, SlackPathsCarryNoForce) {
  for (const LineLaw law : kLaws) {
    const MusculotendonParameters m = make_muscle(law);
    for (const double length : {0.0, 0.1, 0.27}) {
      EXPECT_EQ(compute_isometric_state(m, length, 1).tendon_force, 0);
      EXPECT_EQ(compute_rigid_tendon_force(m, length, 0).active, 0);
      EXPECT_EQ(compute_rigid_tendon_force(m, length, 0).passive, 0);
    }
  }
}

TEST(Musculotendon, StiffTendonsApproachTheRigidOne) {
  for (const LineLaw law : kLaws) {
    MusculotendonParameters m = make_muscle(law);
    m.shape.tendon_strain = 1e-6;
    for (const double length : {0.35, 0.38, 0.41, 0.44}) {
      const RigidTendonForce rigid = compute_rigid_tendon_force(m, length, 0);
      EXPECT_NEAR(compute_isometric_state(m, length, 0.5).tendon_force,
                  0.5 * rigid.active + rigid.passive, 1e-3 * m.max_force);
    }
  }
}

TEST(Musculotendon, RigidTendonForceFollowsTheCurves) {
  const MusculotendonParameters m = make_muscle(LineLaw::kThelen);
  const double h = m.optimal_length * std::sin(m.pennation), w = 0.11, l = std::hypot(w, h);
  const double fl = std::exp(-std::pow(l / m.optimal_length - 1, 2) / 0.45);
  const double v = -0.2 * w / l / (m.max_velocity * m.optimal_length);
  const double fv = (1 + v) / (1 - v / 0.3);
  EXPECT_NEAR(compute_rigid_tendon_force(m, m.slack_length + w, -0.2).active, 600 * fl * fv * w / l,
              1e-10);
  // Faster than it can shorten: no force, and never a push.
  EXPECT_EQ(compute_rigid_tendon_force(m, m.slack_length + w, -50).active, 0);
}

// chen1992, Fig. 2.26: isometric force over L - slack length, for slack lengths 0.1, 8 and 16 fibre
// lengths. A longer tendon gives more, so the same force needs a longer path.
TEST(Musculotendon, LongerTendonsShiftTheIsometricCurve) {
  MusculotendonParameters m;
  m.shape.law = LineLaw::kHill;
  m.shape.passive_strain = 0.5;  // 4 (l - 1)^2
  double last_peak = 0, last_first = 0;
  for (const double slack : {0.1, 8.0, 16.0}) {
    m.slack_length = slack;
    double top = 0, peak = 0, first = 0;
    // The hump before passive force takes over.
    const double end = 1.15 + m.shape.tendon_strain * slack;
    for (int i = 0; i <= 600; ++i) {
      const double x = 0.3 + (end - 0.3) * i / 600;
      const double force = compute_isometric_state(m, slack + x, 1).tendon_force;
      if (force > top) top = force, peak = x;
      if (force > 0.5 && first == 0) first = x;
    }
    EXPECT_NEAR(top, 1.0, 0.015);
    EXPECT_GT(peak, last_peak + (slack > 1 ? 0.9 * 0.033 * 8 : 0)) << slack;
    EXPECT_GT(first, last_first);
    // At the top the fibre has its best length and the tendon its full strain.
    EXPECT_NEAR(peak, 1.04 + m.shape.tendon_strain * slack, 0.03);
    last_peak = peak, last_first = first;
  }
}

TEST(Musculotendon, FiberVelocityBalancesForces) {
  for (const LineLaw law : kLaws) {
    const MusculotendonParameters m = make_muscle(law);
    for (const double a : {0.0, 0.05, 0.6, 1.0}) {
      const FiberState rest = compute_isometric_state(m, 0.39, a);
      EXPECT_NEAR(compute_fiber_velocity(m, 0.39, a, rest.projected_length), 0, 1e-9);
      // A longer path pulls the fibres apart, a shorter one lets them shorten.
      EXPECT_GT(compute_fiber_velocity(m, 0.395, a, rest.projected_length), 0);
      const double shortening = compute_fiber_velocity(m, 0.389, a, rest.projected_length);
      EXPECT_TRUE(shortening < 0 || a == 0);
    }
  }
}

TEST(Musculotendon, FibresReachEquilibriumWithStepsOfAnySize) {
  for (const LineLaw law : kLaws) {
    const MusculotendonParameters m = make_muscle(law);
    const FiberState end = compute_isometric_state(m, 0.40, 0.8);
    for (const double dt : {1e-3, 1e-1, 10.0}) {
      FiberState state = compute_isometric_state(m, 0.37, 0.05);
      for (int n = 0; n < 1000; ++n) {
        const double before = state.tendon_force;
        state = advance_fiber(m, state, 0.40, 0.8, dt);
        ASSERT_GE(state.tendon_force, 0);
        const double further =
            std::abs(state.tendon_force - end.tendon_force) - std::abs(before - end.tendon_force);
        ASSERT_TRUE(n == 0 || further < 1e-9);
      }
      EXPECT_NEAR(state.tendon_force, end.tendon_force, 1e-6 * m.max_force) << dt;
    }
  }
}

TEST(Musculotendon, StepsConvergeToTheFibreVelocity) {
  const MusculotendonParameters m = make_muscle(LineLaw::kMillard);
  const FiberState start = compute_isometric_state(m, 0.38, 0.2);
  const double velocity = compute_fiber_velocity(m, 0.38, 0.7, start.projected_length);
  double last = 0;
  for (const double dt : {1e-5, 1e-6, 1e-7}) {
    const FiberState next = advance_fiber(m, start, 0.38, 0.7, dt);
    const double error = std::abs((next.fiber_length - start.fiber_length) / dt - velocity);
    // First order: the error falls tenfold with the step.
    EXPECT_TRUE(last == 0 || error < 0.15 * last);
    last = error;
  }
  EXPECT_LT(last, 1e-3 * std::abs(velocity));
}

TEST(Musculotendon, TwitchesRiseAndFallWithActivation) {
  const MusculotendonParameters m = make_muscle(LineLaw::kThelen);
  const ActivationDynamics dynamics{0.015, 0.05};
  FiberState state = compute_isometric_state(m, 0.39, 0);
  double a = 0, top = 0;
  for (int n = 0; n < 600; ++n) {
    a = advance(dynamics, a, n < 200 ? 1 : 0, 1e-3);
    state = advance_fiber(m, state, 0.39, a, 1e-3);
    top = std::max(top, state.tendon_force);
  }
  EXPECT_NEAR(top, compute_isometric_state(m, 0.39, 1).tendon_force, 0.02 * m.max_force);
  EXPECT_LT(state.tendon_force, 0.05 * top);
}

// Rows of stored forces of another program: activation, length, forces, constants.
struct StoredForce {
  std::string muscle;
  double activation, length, force, active, passive;
  MusculotendonParameters parameters;
};
std::vector<StoredForce> read_stored_forces(const std::filesystem::path& path, LineLaw law) {
  std::vector<StoredForce> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    StoredForce row{};
    row.parameters = make_muscle(law);
    MusculotendonParameters& m = row.parameters;
    in >> row.muscle >> row.activation >> row.length >> row.force >> row.active >> row.passive >>
        m.max_force >> m.optimal_length >> m.slack_length >> m.pennation;
    if (in) rows.push_back(row);
  }
  return rows;
}

TEST(Musculotendon, EqualsStoredForcesOfThelenMuscles) {
  const auto path = find_shared_data() / "opensim/moment_arms/arm26_lengths_forces.csv";
  const auto rows = read_stored_forces(path, LineLaw::kThelen);
  if (rows.empty()) GTEST_SKIP() << "skipped: no data";
  double worst = 0;
  for (StoredForce row : rows) {
    row.parameters.shape.force_length_width = 0.5;
    row.parameters.shape.passive_shape = 4;
    const double force =
        compute_isometric_state(row.parameters, row.length, row.activation).tendon_force;
    const double error = std::abs(force - row.force) / row.parameters.max_force;
    worst = std::max(worst, error);
  }
  EXPECT_LT(worst, 0.002);
}

TEST(Musculotendon, EqualsStoredForcesOfMillardMuscles) {
  const auto path =
      find_shared_data() / "opensim/leg_gait10dof18musc/gait10dof18musc_lengths_forces.csv";
  const auto rows = read_stored_forces(path, LineLaw::kMillard);
  if (rows.empty()) GTEST_SKIP() << "skipped: no data";
  double worst = 0;
  for (StoredForce row : rows) {
    row.parameters.shape.passive_strain = 0.7;
    row.parameters.shape.tendon_strain = 0.049;
    const double force =
        compute_isometric_state(row.parameters, row.length, row.activation).tendon_force;
    const double error = std::abs(force - row.force) / row.parameters.max_force;
    worst = std::max(worst, error);
  }
  EXPECT_LT(worst, 0.01);
}

}  // namespace
}  // namespace sinew::material
