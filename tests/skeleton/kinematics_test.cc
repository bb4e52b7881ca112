#include "sinew/skeleton/kinematics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sinew::skeleton {
namespace {

Coordinate coordinate(const std::string& name, std::size_t body) {
  Coordinate out;
  out.name = name, out.body = body;
  return out;
}

Body body(const std::string& name, std::size_t parent) {
  Body out;
  out.name = name, out.parent = parent, out.mass = 1;
  out.joint.parent_frame = {make_body_xyz({0.3, -0.2, 0.5}), {0.1, 0.2, -0.3}};
  out.joint.child_frame = {make_body_xyz({-0.1, 0.4, 0.2}), {0.02, -0.1, 0.05}};
  return out;
}

// Ground, a custom joint with one spline-coupled axis, a scapula on an ellipsoid, an ellipsoid.
Skeleton make_chain() {
  Skeleton out;
  out.bodies.push_back({"ground", kNone, {}, 0, {}, {}});
  Body custom = body("custom", kGround);
  custom.joint.axes[0] = {{0, 0.6, 0.8}, 0, make_line(1, 0.1)};
  custom.joint.axes[1] = {{1, 0, 0}, 1, make_line(2, 0)};
  custom.joint.axes[2] = {{0, 0, 1}, kNone, make_constant(0.2)};
  custom.joint.axes[3] = {
      {1, 0, 0}, 0, make_spline({-1, 0, 1, 2}, {0, 0.1, 0.3, 0.2}, SplineEnds::kThirdDerivative)};
  custom.joint.axes[5] = {{0, 0, 1}, 1, make_line(0.5, 0)};
  custom.joint.coordinates = {0, 1};
  Body scapula = body("scapula", 1);
  scapula.joint.kind = Joint::Kind::kScapulothoracic;
  scapula.joint.radii = {0.07, 0.15, 0.08};
  scapula.joint.winging_origin = {0.01, -0.02};
  scapula.joint.winging_direction = 0.4;
  scapula.joint.coordinates = {2, 3, 4, 5};
  Body globe = body("globe", 2);
  globe.joint.kind = Joint::Kind::kEllipsoid;
  globe.joint.radii = {0.1, 0.2, 0.3};
  globe.joint.coordinates = {6, 7, 8};
  out.bodies.insert(out.bodies.end(), {custom, scapula, globe});
  for (const std::size_t of : {1U, 1U, 2U, 2U, 2U, 2U, 3U, 3U, 3U})
    out.coordinates.push_back(coordinate("q" + std::to_string(out.coordinates.size()), of));
  return out;
}

TEST(Kinematics, TwistsAreTheDerivativesOfPoints) {
  const Skeleton skeleton = make_chain();
  const std::vector<double> q{0.4, -0.3, 0.2, 0.5, -0.6, 0.3, 0.1, 0.7, -0.2};
  const auto moved_by = moving_coordinates(skeleton);
  Kinematics at, before, after;
  evaluate_kinematics(skeleton, q, at);
  const double h = 1e-6;
  for (std::size_t k = 0; k < q.size(); ++k) {
    std::vector<double> back = q, forth = q;
    back[k] -= h, forth[k] += h;
    evaluate_kinematics(skeleton, back, before);
    evaluate_kinematics(skeleton, forth, after);
    for (std::size_t b = 0; b < skeleton.bodies.size(); ++b) {
      const Vec3d point{0.1, -0.2, 0.15};
      const Vec3d rate = (apply(after.bodies[b], point) - apply(before.bodies[b], point)) / (2 * h);
      const bool moves = std::find(moved_by[b].begin(), moved_by[b].end(), k) != moved_by[b].end();
      const Vec3d expected =
          moves ? velocity_at(at.coordinates[k], apply(at.bodies[b], point)) : Vec3d{};
      EXPECT_LT(norm(rate - expected), 1e-9) << "coordinate " << k << ", body " << b;
    }
  }
}

TEST(Kinematics, FramesStayOrthonormal) {
  const Skeleton skeleton = make_chain();
  Kinematics at;
  evaluate_kinematics(skeleton, {1.4, 2.3, -1.2, 0.5, 3.6, 0.3, 0.1, -2.7, 0.2}, at);
  for (const Frame& frame : at.bodies) {
    const Mat3d square = transpose(frame.rotation) * frame.rotation - Mat3d::identity();
    EXPECT_LT(std::sqrt(inner(square, square)), 1e-14);
    EXPECT_NEAR(determinant(frame.rotation), 1, 1e-14);
  }
}

TEST(Kinematics, APinTurnsItsChildAboutItsAxis) {
  Skeleton skeleton;
  skeleton.bodies.push_back({"ground", kNone, {}, 0, {}, {}});
  Body arm;
  arm.name = "arm", arm.parent = kGround;
  arm.joint.parent_frame = {Mat3d::identity(), {1, 0, 0}};
  arm.joint.axes[2] = {{0, 0, 1}, 0, make_line(1, 0)};
  arm.joint.coordinates = {0};
  skeleton.bodies.push_back(arm);
  skeleton.coordinates.push_back(coordinate("angle", 1));
  Kinematics at;
  evaluate_kinematics(skeleton, {std::acos(0.0)}, at);
  EXPECT_LT(norm(apply(at.bodies[1], {2, 0, 0}) - Vec3d{1, 2, 0}), 1e-15);
}

TEST(Kinematics, CouplersInAChainAreObeyedAndReduced) {
  Skeleton skeleton;
  for (const char* name : {"a", "b", "c"}) skeleton.coordinates.push_back(coordinate(name, 0));
  skeleton.coordinates[0].coupler = Coupler{1, make_line(2, 1)};   // a = 2 b + 1
  skeleton.coordinates[1].coupler = Coupler{2, make_line(-3, 0)};  // b = -3 c
  std::vector<double> q{0, 0, 0.5};
  apply_couplers(skeleton, q);
  EXPECT_EQ(q, (std::vector<double>{-2, -1.5, 0.5}));
  std::vector<double> gradient{1, 10, 100};
  reduce_to_independent(skeleton, q, gradient);
  EXPECT_EQ(gradient, (std::vector<double>{0, 0, 100 - 3 * (10 + 2)}));
}

}  // namespace
}  // namespace sinew::skeleton
