#include "sinew/skeleton/interpolate_motion.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/kinematics.h"

#include "skeleton/chains.h"

namespace sinew::skeleton {
namespace {

constexpr double kPi = std::numbers::pi;

Motion make_keys() {
  return {{0, 0.4, 1, 1.3}, {{0.1, 0.2}, {0.9, -0.3}, {0.4, 0.6}, {0.5, 0}}};
}

TEST(MotionSpline, GoesThroughItsSamplesWithContinuousAccelerations) {
  const Skeleton chain = make_planar_chain({0.3, 0.2});
  const Motion keys = make_keys();
  for (const MotionEnds ends : {MotionEnds::kNatural, MotionEnds::kAtRest}) {
    const MotionSpline spline = make_motion_spline(chain, keys, ends);
    MotionPose at, before, after;
    for (std::size_t i = 0; i < keys.times.size(); ++i) {
      evaluate(spline, keys.times[i], at);
      for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(at.q[c], keys.q[i][c], 1e-15);
      if (i == 0 || i + 1 == keys.times.size()) {
        const auto& still = ends == MotionEnds::kNatural ? at.udot : at.u;
        for (const double v : still) EXPECT_NEAR(v, 0, 1e-12);
        continue;
      }
      evaluate(spline, keys.times[i] - 1e-9, before);
      evaluate(spline, keys.times[i] + 1e-9, after);
      for (std::size_t c = 0; c < 2; ++c) {
        EXPECT_NEAR(before.u[c], after.u[c], 1e-6);
        EXPECT_NEAR(before.udot[c], after.udot[c], 1e-5);  // 2e-9 s of a jerk near 1000 /s^3
        EXPECT_GT(std::abs(at.udot[c]), 0.1);
      }
    }
  }
}

TEST(MotionSpline, HasTheRatesThatDifferencesGive) {
  Skeleton chain = make_planar_chain({0.3, 0.2});
  Function sine;
  sine.kind = Function::Kind::kSine;
  sine.coefficients = {0.7, 2, 0.3, 0.1};
  chain.coordinates[1].coupler = Coupler{0, sine};
  const MotionSpline spline = make_motion_spline(chain, make_keys(), MotionEnds::kAtRest);
  MotionPose at, before, after;
  const double h = 1e-5;
  for (int n = 1; n < 13; ++n) {
    const double t = 0.1 * n - 0.03;
    evaluate(spline, t, at);
    evaluate(spline, t - h, before);
    evaluate(spline, t + h, after);
    EXPECT_NEAR(at.q[1], evaluate(sine, at.q[0]).value, 1e-15);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(at.u[c], (after.q[c] - before.q[c]) / (2 * h), 1e-7);
      EXPECT_NEAR(at.udot[c], (after.u[c] - before.u[c]) / (2 * h), 1e-6);
    }
  }
}

TEST(MotionSpline, ConvergesWithTheFourthOrder) {
  const Skeleton chain = make_planar_chain({0.3});
  const auto error_of = [&](int count) {
    Motion motion;
    for (int i = 0; i <= count; ++i) {
      motion.times.push_back(2.0 * i / count);
      motion.q.push_back({std::cos(kPi * motion.times.back())});  // at rest at both ends
    }
    const MotionSpline spline = make_motion_spline(chain, motion, MotionEnds::kAtRest);
    MotionPose pose;
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      evaluate(spline, 0.002 * i, pose);
      worst = std::max(worst, std::abs(pose.q[0] - std::cos(kPi * 0.002 * i)));
    }
    return worst;
  };
  const double order = std::log2(error_of(20) / error_of(40));
  EXPECT_GT(order, 3.8);
  EXPECT_LT(order, 4.2);
}

TEST(MotionSpline, HoldsTheEndPosesOutside) {
  const Skeleton chain = make_planar_chain({0.3, 0.2});
  const MotionSpline spline = make_motion_spline(chain, make_keys(), MotionEnds::kNatural);
  MotionPose pose;
  evaluate(spline, -1, pose);
  EXPECT_EQ(pose.q, make_keys().q.front());
  evaluate(spline, 9, pose);
  EXPECT_EQ(pose.q, make_keys().q.back());
  EXPECT_EQ(pose.u, (std::vector<double>{0, 0}));
  const MotionSpline single = make_motion_spline(chain, {{2}, {{0.5, 0.6}}}, MotionEnds::kNatural);
  evaluate(single, 2, pose);
  EXPECT_EQ(pose.q, (std::vector<double>{0.5, 0.6}));
}

TEST(MotionSpline, RefusesTimesAndPosesThatAreNone) {
  const Skeleton chain = make_planar_chain({0.3});
  const auto refused = [&](const Motion& motion) {
    EXPECT_THROW(make_motion_spline(chain, motion, MotionEnds::kNatural), std::invalid_argument);
  };
  refused({});
  refused({{0, 0}, {{0}, {1}}});
  refused({{0, 1}, {{0}, {NAN}}});
  refused({{0, 1}, {{0}, {1, 2}}});
  refused({{0, 1}, {{0}}});
}

Mat3d turn_of(const Skeleton& body, const std::vector<double>& q) {
  Kinematics kinematics;
  evaluate_kinematics(body, q, kinematics);
  return kinematics.bodies[1].rotation;
}
double angle_between(const Mat3d& a, const Mat3d& b) {
  return std::acos(std::clamp((trace(transpose(a) * b) - 1) / 2, -1.0, 1.0));
}

TEST(KeyPoses, TurnABallTheShortWay) {
  const Skeleton body = make_floating_body();
  // 170 degrees to -170 degrees about z: twenty degrees, not 340; the shift is a plain spline.
  const Motion keys{{0, 1}, {{0, 0, 170 * kPi / 180, 0, 0, 0}, {0, 0, -170 * kPi / 180, 2, 0, 0}}};
  const MotionSpline spline = interpolate_key_poses(body, keys, MotionEnds::kAtRest);
  MotionPose pose;
  evaluate(spline, 0.5, pose);
  EXPECT_NEAR(pose.q[2], kPi, 1e-6);
  EXPECT_NEAR(pose.q[3], 1, 1e-12);
  evaluate(spline, 1, pose);
  EXPECT_NEAR(pose.q[2], 190 * kPi / 180, 1e-12);
}

TEST(KeyPoses, KeepTheRotationOfEveryKeyAndAFixedAxisBetweenTwo) {
  const Skeleton body = make_floating_body();
  const Motion keys{{0, 0.5, 1.5, 2},
                    {{0.1, 0.2, 0.3, 0, 0, 0},
                     {1.0, -0.5, 0.8, 0, 0, 0},
                     {-0.4, 0.6, 2.0, 0, 0, 0},
                     {-0.3, 0.2, 3.4, 0, 0, 0}}};
  const MotionSpline spline = interpolate_key_poses(body, keys, MotionEnds::kAtRest);
  MotionPose pose;
  for (std::size_t i = 0; i < keys.times.size(); ++i) {
    evaluate(spline, keys.times[i], pose);
    EXPECT_LT(angle_between(turn_of(body, pose.q), turn_of(body, keys.q[i])), 1e-7);
  }
  // Two keys only: quaternions on a line are turns about one axis, so the angle to one end and the
  // angle to the other add up to the whole.
  const Motion two{{0, 1}, {keys.q[0], keys.q[1]}};
  const MotionSpline line = interpolate_key_poses(body, two, MotionEnds::kAtRest);
  const Mat3d from = turn_of(body, two.q[0]), to = turn_of(body, two.q[1]);
  for (int n = 1; n < 10; ++n) {
    evaluate(line, 0.1 * n + 0.013, pose);
    const Mat3d turn = turn_of(body, pose.q);
    // What the spline through 16 samples a key leaves of the exact path.
    EXPECT_NEAR(angle_between(from, turn) + angle_between(turn, to), angle_between(from, to), 1e-5);
  }
}

TEST(KeyPoses, InterpolateAnglesAsTheyAreNearGimbalLock) {
  const Skeleton body = make_floating_body();
  const Motion keys{{0, 1}, {{0.3, 1.4, 0, 0, 0, 0}, {0.3, 1.7, 0, 0, 0, 0}}};
  const MotionSpline spline = interpolate_key_poses(body, keys, MotionEnds::kAtRest);
  MotionPose pose;
  evaluate(spline, 0.5, pose);
  EXPECT_NEAR(pose.q[1], 1.55, 1e-12);
  EXPECT_NEAR(pose.q[0], 0.3, 1e-12);
}

}  // namespace
}  // namespace sinew::skeleton
