#include "sinew/activation/static_optimization.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/read_table.h"

#include "shared_data.h"

namespace sinew::activation {
namespace {

using skeleton::Skeleton;

// A forearm of 1.5 kg, 0.3 m long, hinged at the ground's origin about z and hanging along -y, with
// a flexor before the hinge and an extensor behind it.
Skeleton make_elbow() {
  Skeleton s;
  s.gravity = {0, -9.81, 0};
  s.bodies.resize(2);
  s.bodies[0].name = "ground";
  skeleton::Body& forearm = s.bodies[1];
  forearm.name = "forearm";
  forearm.parent = 0;
  forearm.mass = 1.5;
  forearm.mass_center = {0, -0.15, 0};
  forearm.inertia = Mat3d::identity() * 0.011;
  forearm.joint.axes[0] = {{0, 0, 1}, 0, skeleton::make_line(1, 0)};
  forearm.joint.coordinates = {0};
  skeleton::Coordinate flexion;
  flexion.name = "flexion";
  flexion.body = 1;
  s.coordinates = {flexion};
  for (const double side : {1.0, -1.0}) {
    skeleton::Muscle muscle;
    muscle.name = side > 0 ? "flexor" : "extensor";
    muscle.path.points.resize(2);
    muscle.path.points[0].location = {side * 0.03, 0.25, 0};
    muscle.path.points[1].body = 1;
    muscle.path.points[1].location = {side * 0.03, -0.05, 0};
    muscle.max_force = 500;
    muscle.optimal_length = 0.15;
    muscle.slack_length = 0.14;
    s.muscles.push_back(muscle);
  }
  return s;
}

skeleton::Motion hold(double angle, std::size_t count = 20) {
  skeleton::Motion motion;
  for (std::size_t t = 0; t < count; ++t) {
    motion.times.push_back(0.01 * static_cast<double>(t));
    motion.q.push_back({angle});
  }
  return motion;
}

TEST(StaticOptimization, HoldsAForearmWithItsFlexor) {
  const Skeleton s = make_elbow();
  const ActivationResult result = compute_activations(s, hold(0.4));
  // Gravity's moment about the hinge, m g x with x = 0.15 sin(angle).
  const double wanted = 1.5 * 9.81 * 0.15 * std::sin(0.4);
  EXPECT_EQ(result.num_unsolved, 0U);
  for (std::size_t t = 0; t < result.times.size(); ++t) {
    EXPECT_NEAR(result.moments[t][0], wanted, 1e-9);
    EXPECT_GT(result.activations[t][0], 0.03);
    EXPECT_NEAR(result.activations[t][1], 0, 1e-12);
    // A reserve of about a / weight of the muscles' strength is what exactness costs.
    EXPECT_LT(std::abs(result.reserves[t][0]), 1e-4 * wanted);
  }
  // The flexor's arm by hand: the distance of its line from the hinge.
  const double c = std::cos(0.4), n = std::sin(0.4);
  const double x = 0.03 * c + 0.05 * n, y = 0.03 * n - 0.05 * c;
  const double arm =
      std::abs(0.03 * (y - 0.25) - 0.25 * (x - 0.03)) / std::hypot(x - 0.03, y - 0.25);
  EXPECT_NEAR(result.forces[3][0], wanted / arm, 1e-3 * wanted / arm);
}

TEST(StaticOptimization, ReportsWhatMusclesCannotSupply) {
  Skeleton s = make_elbow();
  s.muscles[0].max_force = 5;
  const ActivationResult result = compute_activations(s, hold(0.4));
  const auto reports = summarize_reserves(s, result);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_TRUE(reports[0].has_muscle);
  EXPECT_GT(reports[0].largest, 0.5 * reports[0].moment);
  EXPECT_NEAR(result.activations[0][0], 1, 1e-12);
  for (skeleton::Muscle& muscle : s.muscles) muscle.disabled = true;
  const ActivationResult none = compute_activations(s, hold(0.4));
  EXPECT_NEAR(none.reserves[0][0], none.moments[0][0], 1e-12);
  EXPECT_FALSE(summarize_reserves(s, none)[0].has_muscle);
}

// A joint pressed against its limit: muscles must hold it there.
TEST(StaticOptimization, LimitsOfJointsAreHeldByMuscles) {
  Skeleton s = make_elbow();
  const ActivationResult before = compute_activations(s, hold(0.4, 1));
  skeleton::CoordinateLimit limit;
  limit.coordinate = 0;
  limit.limits = {-1, 0.3};
  limit.stiffness = {100, 100};
  limit.transition = 0.02;
  s.joint_forces.push_back({"stop", "CoordinateLimitForce", false, limit});
  const ActivationResult after = compute_activations(s, hold(0.4, 1));
  EXPECT_NEAR(after.moments[0][0], before.moments[0][0] + 100 * 0.1, 1e-9);
  EXPECT_NEAR(after.forces[0][0] / before.forces[0][0], after.moments[0][0] / before.moments[0][0],
              1e-3);
  EXPECT_GT(after.activations[0][0], 10 * before.activations[0][0]);
  s.joint_forces[0].disabled = true;
  EXPECT_EQ(compute_activations(s, hold(0.4, 1)).activations, before.activations);
}

TEST(StaticOptimization, ControlsBoundActivationsWithinZeroAndOne) {
  Skeleton s = make_elbow();
  s.bodies[1].mass = 60;  // more than the flexor holds
  s.muscles[0].control_range = {0, 2};
  s.muscles[1].control_range = {0.1, 0.5};
  const ActivationResult result = compute_activations(s, hold(0.4, 1));
  EXPECT_NEAR(result.activations[0][0], 1, 1e-12);
  EXPECT_NEAR(result.activations[0][1], 0.1, 1e-12);
  s.muscles[0].control_range = {0, 0.7};
  EXPECT_NEAR(compute_activations(s, hold(0.4, 1)).activations[0][0], 0.7, 1e-12);
}

TEST(StaticOptimization, QuasiStaticPosesForgetMotion) {
  const Skeleton s = make_elbow();
  skeleton::Motion swing = hold(0, 101);
  for (std::size_t t = 0; t < 101; ++t) swing.q[t][0] = 1 + 0.3 * std::sin(12 * swing.times[t]);
  ActivationSettings settings;
  settings.cutoff = 0;
  const ActivationResult moving = compute_activations(s, swing, settings);
  settings.quasi_static = true;
  const ActivationResult still = compute_activations(s, swing, settings);
  double difference = 0;
  for (std::size_t t = 10; t < 91; ++t) {
    EXPECT_NEAR(still.moments[t][0], 1.5 * 9.81 * 0.15 * std::sin(swing.q[t][0]), 1e-6);
    const double inertia = 0.011 + 1.5 * 0.15 * 0.15;
    const double acceleration = -0.3 * 144 * std::sin(12 * swing.times[t]);
    EXPECT_NEAR(moving.moments[t][0], still.moments[t][0] + inertia * acceleration, 1e-3);
    difference = std::max(difference, std::abs(moving.activations[t][0] - still.activations[t][0]));
  }
  EXPECT_GT(difference, 0.05);
}

TEST(StaticOptimization, PassiveFibresTakeTheirShare) {
  Skeleton s = make_elbow();
  s.muscles[1].slack_length = 0.10;  // the extensor is stretched
  ActivationSettings settings;
  settings.passive = true;
  const ActivationResult result = compute_activations(s, hold(0.4), settings);
  const ActivationResult without = compute_activations(s, hold(0.4));
  EXPECT_GT(result.forces[0][1], 1);
  EXPECT_GT(result.forces[0][0], without.forces[0][0] + 1);
  EXPECT_LT(std::abs(result.reserves[0][0]), 1e-3);
}

TEST(StaticOptimization, GivesTheSameBitsOnAnyNumberOfThreads) {
  const Skeleton s = make_elbow();
  skeleton::Motion swing = hold(0, 101);
  for (std::size_t t = 0; t < 101; ++t) swing.q[t][0] = 1 + 0.3 * std::sin(12 * swing.times[t]);
  const auto run = [&](int threads) {
    const ThreadLimit limit(threads);
    return compute_activations(s, swing).activations;
  };
  EXPECT_EQ(run(1), run(2));
}

// The largest rms a column and the largest difference.
struct Difference {
  double rms = 0, largest = 0;
};
Difference compare(const skeleton::TimeTable& ours, const skeleton::TimeTable& theirs) {
  Difference difference;
  EXPECT_EQ(ours.times.size(), theirs.times.size());
  for (std::size_t j = 0; j < ours.columns.size(); ++j) {
    const auto column = std::find(theirs.columns.begin(), theirs.columns.end(), ours.columns[j]);
    if (column == theirs.columns.end()) continue;
    const auto k = static_cast<std::size_t>(column - theirs.columns.begin());
    double sum = 0;
    for (std::size_t t = 0; t < ours.times.size(); ++t) {
      const double d = ours.rows[t][j] - theirs.rows[t][k];
      sum += d * d;
      difference.largest = std::max(difference.largest, std::abs(d));
    }
    difference.rms =
        std::max(difference.rms, std::sqrt(sum / static_cast<double>(ours.times.size())));
  }
  return difference;
}

class StoredElbowFlexion : public ::testing::TestWithParam<skeleton::WrapRules> {
 protected:
  void run(const std::string& folder, const std::string& motion_file, const std::string& prefix) {
    const auto path = find_shared_data() / "opensim" / folder;
    if (!std::filesystem::exists(path / "arm26.osim")) GTEST_SKIP() << "skipped: no data";
    const Skeleton s = skeleton::read_osim((path / "arm26.osim").string());
    const skeleton::Motion motion =
        skeleton::make_motion(s, skeleton::read_time_table((path / motion_file).string()));
    ActivationSettings settings;
    settings.rules = GetParam();
    const ActivationResult result = compute_activations(s, motion, settings);
    const auto stored = [&](const char* what) {
      return skeleton::read_time_table((path / (prefix + what)).string());
    };
    EXPECT_EQ(result.num_unsolved, 0U);
    activation_ = compare(make_activation_table(s, result), stored("_activation.sto"));
    force_ = compare(make_force_table(s, result), stored("_force.sto"));
    RecordProperty("activation_rms", std::to_string(activation_.rms));
    RecordProperty("activation_largest", std::to_string(activation_.largest));
    RecordProperty("force_rms", std::to_string(force_.rms));
    RecordProperty("force_largest", std::to_string(force_.largest));
  }
  Difference activation_, force_;
};

// The tolerances are those of OpenSim's own test (rms a column), and what an exact solution of the
// program differs from its interior-point solution (largest).
TEST_P(StoredElbowFlexion, OfOpenSimsRegressionTestIsReproduced) {
  run("arm26_core", "arm26_InverseKinematics.mot", "std_Thelen2003Muscle_arm26_StaticOptimization");
  EXPECT_LT(activation_.rms, 0.01);
  EXPECT_LT(force_.rms, 4);
  EXPECT_LT(activation_.largest, 0.01);
  EXPECT_LT(force_.largest, 5);
}

TEST_P(StoredElbowFlexion, OfTheTutorialIsReproduced) {
  run("arm26_tutorial", "reference/arm26_InverseKinematics.mot",
      "reference/arm26_StaticOptimization");
  EXPECT_LT(activation_.rms, 0.025);
  EXPECT_LT(force_.rms, 4);
}

INSTANTIATE_TEST_SUITE_P(Rules, StoredElbowFlexion,
                         ::testing::Values(skeleton::WrapRules::kOpenSim,
                                           skeleton::WrapRules::kGeodesic));

}  // namespace
}  // namespace sinew::activation
