#include "sinew/anatomy/joint_places.h"

#include <gtest/gtest.h>

namespace sinew::anatomy {
namespace {

// A bar along y from `low` to `high`, 2 cm thick.
Tissue make_bone(const std::string& name, double low, double high) {
  Tissue tissue;
  tissue.name = name;
  tissue.surface.positions = {{-0.01, low, -0.01}, {0.01, low, 0.01}, {0, high, 0}};
  return tissue;
}

JointSettings make_elbow(const Vec3d& center) {
  return {"elbow", "pin", "humerus", "ulna", center, {}};
}

TEST(JointPlaces, AreNearTheirBones) {
  const std::vector<Tissue> bones = {make_bone("humerus", 0, 0.3), make_bone("ulna", -0.25, -0.01)};
  const auto complaint = [&](const Vec3d& center) {
    return find_far_joint(bones, {make_elbow({0, 0, 0}), make_elbow(center)});
  };
  EXPECT_EQ(complaint({0, 0, 0}), "");
  EXPECT_EQ(complaint({0.03, 0.02, 0}), "");
  EXPECT_EQ(complaint({0, 0.8, 0}), "");  // the bones' box is 0.55 m long
  EXPECT_NE(complaint({5, 0, 0}).find("joint \"elbow\": its center (5, 0, 0) m is 4.99 m off"),
            std::string::npos)
      << complaint({5, 0, 0});
  EXPECT_NE(complaint({0, -20, 0}), "");  // millimetres
}

TEST(JointPlaces, OfTissuesWithoutASurfaceAreNotJudged) {
  std::vector<Tissue> bones = {make_bone("humerus", 0, 0.3), make_bone("ulna", -0.25, -0.01)};
  bones[1].surface = {};
  EXPECT_EQ(find_far_joint(bones, {make_elbow({5, 0, 0})}), "");
  EXPECT_EQ(find_far_joint({}, {make_elbow({5, 0, 0})}), "");
}

}  // namespace
}  // namespace sinew::anatomy
