#include "sinew/coupling/bone_track.h"

#include <gtest/gtest.h>

#include "coupling/coupled_fixtures.h"

namespace sinew::coupling {
namespace {

TEST(BoneTrack, PosesCountFromTheRestPose) {
  const skeleton::Skeleton skeleton = make_forearm(1, 0.2, {1, 0, 0});
  BoneTrack track(skeleton, {0, 1}, {0.5});
  EXPECT_LT(norm(track.pose(1, 0).translation), 1e-15);  // it rests at 0.5 rad
  track.follow([](double time, std::vector<double>& q) { q[0] = 0.5 + time; });
  const engine::RigidPose pose = track.pose(1, std::acos(0.0));
  EXPECT_LT(norm(engine::apply(pose, {2, 0, 0}) - Vec3d{1, 1, 0}), 1e-15);
  EXPECT_EQ(track.pose(0, 1).rotation.col(0), (Vec3d{1, 0, 0}));  // the ground stays
}

TEST(BoneTrack, ANewMotionReplacesTheOldAtTheSameTime) {
  BoneTrack track(make_forearm(1, 0.2, {1, 0, 0}), {1}, {0});
  track.follow([](double, std::vector<double>& q) { q[0] = 1; });
  EXPECT_EQ(track.coordinates(0)[0], 1);
  track.follow([](double, std::vector<double>& q) { q[0] = 2; });
  EXPECT_EQ(track.coordinates(0)[0], 2);
}

}  // namespace
}  // namespace sinew::coupling
