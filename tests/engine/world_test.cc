#include "sinew/engine/world.h"

#include <gtest/gtest.h>

namespace sinew::engine {
namespace {

World with_field(const ForceField& field) {
  World world;
  world.gravity = {0, 0, 0};
  world.fields = {field};
  return world;
}

TEST(World, AddsGravityAndFields) {
  World world;
  world.fields = {{"a", UniformField{{1, 0, 0}}, {}}, {"b", UniformField{{2, 3, 0}}, {}}};
  EXPECT_EQ(compute_acceleration(world, 0, {5, 6, 7}, {1, 1, 1}), (Vec3d{3, 3 - 9.80665, 0}));
}

TEST(World, ScalesAFieldByItsKeyFrames) {
  ForceField field{"a", UniformField{{2, 0, 0}}, KeyFrames{{0, 1}, {0, 1}}};
  EXPECT_EQ(compute_acceleration(with_field(field), 0.25, {}, {}), (Vec3d{0.5, 0, 0}));
}

TEST(World, PointFieldGrowsToItsRadiusAndThenFallsBySquares) {
  const World world = with_field({"a", PointField{{1, 0, 0}, 0.5, 8}, {}});
  EXPECT_EQ(compute_acceleration(world, 0, {1, 0, 0}, {}), (Vec3d{0, 0, 0}));
  EXPECT_EQ(compute_acceleration(world, 0, {1.25, 0, 0}, {}), (Vec3d{-4, 0, 0}));
  EXPECT_EQ(compute_acceleration(world, 0, {1.5, 0, 0}, {}), (Vec3d{-8, 0, 0}));
  EXPECT_EQ(compute_acceleration(world, 0, {1, 1, 0}, {}), (Vec3d{0, -2, 0}));
}

TEST(World, WindDragsTowardsItsVelocity) {
  const World world = with_field({"a", WindField{{3, 0, 0}, 2}, {}});
  EXPECT_EQ(compute_acceleration(world, 0, {}, {1, 1, 0}), (Vec3d{4, -2, 0}));
  EXPECT_EQ(compute_acceleration(world, 0, {}, {3, 0, 0}), (Vec3d{0, 0, 0}));
}

TEST(World, FieldRateIsThatOfDragAndSwing) {
  World world;
  EXPECT_EQ(compute_field_rate(world, 0), 0);
  world.fields.push_back({"wind", WindField{{1, 0, 0}, 5}, {}});
  world.fields.push_back({"well", PointField{{0, 0, 0}, 0.5, 8}, {}});
  world.fields.push_back({"push", UniformField{{1, 0, 0}}, {}});
  EXPECT_DOUBLE_EQ(compute_field_rate(world, 0), 5 + 4);
}

// Where the collider takes the origin.
Vec3d displacement(const Collider& collider, double time) {
  return find_pose(World{}, collider, time).translation;
}

TEST(World, ColliderWithoutMotionRests) {
  const Collider collider{"c", {mesh::Sphere{{0, 0, 0}, 1}}, 0, {1, 2, 3}, {}};
  EXPECT_EQ(displacement(collider, 5), (Vec3d{0, 0, 0}));
}

TEST(World, ColliderMovesByItsKeyFrames) {
  const Collider collider{
      "c", {mesh::Sphere{{0, 0, 0}, 1}}, 0, {0, 2, 0}, KeyFrames{{1, 3}, {0, 4}}};
  EXPECT_EQ(displacement(collider, 0), (Vec3d{0, 0, 0}));
  EXPECT_EQ(displacement(collider, 2), (Vec3d{0, 4, 0}));
  EXPECT_EQ(displacement(collider, 9), (Vec3d{0, 8, 0}));
}

TEST(World, ColliderOfABoneMovesWithIt) {
  World world;
  world.bones = {{"a", "b"}, [](std::size_t bone, double time) {
                   return RigidPose{make_rotation({0, 0, 1}, time), {bone == 1 ? 2.0 : 0.0, 0, 0}};
                 }};
  Collider collider{"c", {mesh::Sphere{{0, 0, 0}, 1}}, 0, {0, 2, 0}, KeyFrames{{1, 3}, {0, 4}}};
  collider.bone = 1;
  const Vec3d x = apply(find_pose(world, collider, std::acos(0.0)), {1, 0, 0});
  EXPECT_LT(norm(x - Vec3d{2, 1, 0}), 1e-15);
}

}  // namespace
}  // namespace sinew::engine
