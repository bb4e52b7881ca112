#include "sinew/skeleton/denavit_hartenberg.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::skeleton {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// chen1992, Table 4.1, the left arm: degrees and (as the numbers suggest) inches.
std::vector<DhJoint> make_left_arm() {
  struct Row {
    double theta, a, alpha;
    bool frozen;
  };
  const std::vector<Row> table{{0, 0, 90, false},   {10, 0, 90, false},  {0, 5.3, 0, false},
                               {60, 0, 90, false},  {100, 0, 90, false}, {0, 2.3, 0, false},
                               {0, 0, -90, false},  {80, 0, 90, false},  {50, 0, 90, false},
                               {90, 10, 0, true},   {100, 0, 90, false}, {-90, 0, 90, false},
                               {90, 8.6, 90, true}, {0, 0, 90, false},   {0, 6.6, 0, false}};
  std::vector<DhJoint> joints;
  for (const Row& row : table) {
    DhJoint joint;
    joint.theta = row.theta * kDegree;
    joint.a = row.a * 0.0254;
    joint.alpha = row.alpha * kDegree;
    joint.frozen = row.frozen;
    joints.push_back(joint);
  }
  return joints;
}

// Paul's matrix of one joint, entry by entry.
Frame paul(double theta, double d, double a, double alpha) {
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha),
               sa = std::sin(alpha);
  return {{{{{ct, st, 0}, {-st * ca, ct * ca, sa}, {st * sa, -ct * sa, ca}}}}, {a * ct, a * st, d}};
}

double difference(const Frame& a, const Frame& b) {
  double most = norm(a.translation - b.translation);
  for (std::size_t k = 0; k < 3; ++k)
    most = std::max(most, norm(a.rotation.col(k) - b.rotation.col(k)));
  return most;
}

TEST(DenavitHartenberg, GivesTheLeftArmTheFramesOfPaulsMatrices) {
  const std::vector<DhJoint> joints = make_left_arm();
  const Skeleton arm = make_dh_skeleton(joints, kIdentityFrame, "table");
  ASSERT_EQ(arm.bodies.size(), 16u);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  Kinematics kinematics;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> q = rest_pose(arm);
    if (trial > 0)
      for (std::size_t c = 0; c < q.size(); ++c)
        if (!joints[c].frozen) q[c] += any(random);
    evaluate_kinematics(arm, q, kinematics);
    Frame product = kIdentityFrame;
    for (std::size_t c = 0; c < q.size(); ++c) {
      product = compose(product, paul(q[c], joints[c].d, joints[c].a, joints[c].alpha));
      EXPECT_LT(difference(kinematics.bodies[c + 1], product), 1e-14);  // rounding of 15 products
    }
  }
  std::size_t locked = 0;
  for (const Coordinate& coordinate : arm.coordinates) locked += coordinate.locked ? 1 : 0;
  EXPECT_EQ(locked, 2u);
}

TEST(DenavitHartenberg, SlidesPrismaticJoints) {
  std::vector<DhJoint> joints(2);
  joints[0] = {"turn", 0.3, 0.1, 0.2, 0.5, DhJoint::Kind::kRevolute, false, {-1, 1}};
  joints[1] = {"slide", 0.7, 0.4, 0.1, -0.6, DhJoint::Kind::kPrismatic, false, {0, 1}};
  const Skeleton arm = make_dh_skeleton(joints, kIdentityFrame, "table");
  EXPECT_FALSE(arm.coordinates[1].rotational);
  EXPECT_EQ(rest_pose(arm), (std::vector<double>{0.3, 0.4}));
  Kinematics kinematics;
  evaluate_kinematics(arm, {-0.2, 0.9}, kinematics);
  const Frame product = compose(paul(-0.2, 0.1, 0.2, 0.5), paul(0.7, 0.9, 0.1, -0.6));
  EXPECT_LT(difference(kinematics.bodies[2], product), 1e-15);
  EXPECT_TRUE(arm.coordinates[1].clamped);
}

TEST(DenavitHartenberg, RefusesBadTables) {
  EXPECT_THROW(make_dh_skeleton({}, kIdentityFrame, "table"), InputError);
  std::vector<DhJoint> joints(2);
  joints[0].a = NAN;
  EXPECT_THROW(make_dh_skeleton(joints, kIdentityFrame, "table"), InputError);
  joints[0] = {};
  joints[0].range = {1, -1};
  EXPECT_THROW(make_dh_skeleton(joints, kIdentityFrame, "table"), InputError);
  joints[0] = joints[1] = {};
  joints[0].name = joints[1].name = "elbow";
  EXPECT_THROW(make_dh_skeleton(joints, kIdentityFrame, "table"), InputError);
}

}  // namespace
}  // namespace sinew::skeleton
