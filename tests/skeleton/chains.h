// Small skeletons for tests: chains of pins, and a ball.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/skeleton/denavit_hartenberg.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

// Pins about z in a plane, with links of these lengths along x, m; all ranges +-2.5 rad.
inline Skeleton make_planar_chain(const std::vector<double>& lengths) {
  std::vector<DhJoint> joints;
  joints.reserve(lengths.size());
  for (const double length : lengths) {
    DhJoint joint;
    joint.a = length;
    joint.range = {-2.5, 2.5};
    joints.push_back(joint);
  }
  return make_dh_skeleton(joints, kIdentityFrame, "chain");
}

// An arm in space: shoulder of three crossing axes, elbow, wrist; 0.3 m and 0.25 m long.
inline Skeleton make_space_arm() {
  std::vector<DhJoint> joints(5);
  joints[0].alpha = 1.5707963267948966;
  joints[1] = {"elevation", 0.3,    0, 0, -1.5707963267948966, DhJoint::Kind::kRevolute,
               false,       {-2, 2}};
  joints[2] = {"humerus", 0.2,    0, 0.3, 1.5707963267948966, DhJoint::Kind::kRevolute,
               false,     {-2, 2}};
  joints[3] = {"forearm", 0.6, 0, 0.25, 0.4, DhJoint::Kind::kRevolute, false, {0, 2.6}};
  joints[4] = {"hand", 0.1, 0, 0.08, 0, DhJoint::Kind::kRevolute, false, {-1, 1}};
  return make_dh_skeleton(joints, kIdentityFrame, "arm");
}

// One body on three turns about x, y, z and three shifts.
inline Skeleton make_floating_body() {
  Skeleton out;
  out.bodies.resize(2);
  out.bodies[0].name = "ground";
  Body& body = out.bodies[1];
  body.name = "body";
  body.parent = kGround;
  const std::array<std::string, 6> names{"rx", "ry", "rz", "tx", "ty", "tz"};
  for (std::size_t k = 0; k < 6; ++k) {
    Vec3d axis{0, 0, 0};
    axis[k % 3] = 1;
    body.joint.axes[k] = {axis, k, make_line(1, 0)};
    body.joint.coordinates.push_back(k);
    Coordinate coordinate;
    coordinate.name = names[k];
    coordinate.body = 1;
    coordinate.rotational = k < 3;
    out.coordinates.push_back(coordinate);
  }
  return out;
}

}  // namespace sinew::skeleton
