// Skeletons for tests of dynamics: random trees with every kind of joint, and chains of pins.
#pragma once

#include <random>
#include <string>

#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  // Own scaling: std::uniform_real_distribution differs between libraries.
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine()) / 4294967296.0;
  }
  Vec3d vector(double size) {
    return {between(-size, size), between(-size, size), between(-size, size)};
  }
  std::vector<double> numbers(std::size_t count, double size) {
    std::vector<double> out(count);
    for (double& one : out) one = between(-size, size);
    return out;
  }
  std::size_t index(std::size_t count) { return engine() % count; }
};

inline Skeleton make_ground() {
  Skeleton out;
  out.name = "sample";
  out.bodies.push_back({"ground", kNone, {}, 0, {}, {}});
  return out;
}

inline std::size_t add_coordinate(Skeleton& skeleton, std::size_t body, const std::string& name) {
  Coordinate out;
  out.name = name;
  out.body = body;
  skeleton.coordinates.push_back(out);
  return skeleton.coordinates.size() - 1;
}

// A body of a plausible mass and inertia, joined to the parent anywhere.
inline Body make_body(Random& random, const std::string& name, std::size_t parent) {
  Body out;
  out.name = name;
  out.parent = parent;
  out.mass = random.between(0.5, 3);
  out.mass_center = random.vector(0.1);
  const Mat3d turn = make_body_xyz(random.vector(2));
  const Vec3d size{random.between(0.1, 0.4), random.between(0.1, 0.4), random.between(0.1, 0.4)};
  const Vec3d square{size.y * size.y + size.z * size.z, size.x * size.x + size.z * size.z,
                     size.x * size.x + size.y * size.y};
  out.inertia = turn * Mat3d::diagonal(square * (out.mass / 12)) * transpose(turn);
  out.joint.parent_frame = {make_body_xyz(random.vector(1.5)), random.vector(0.3)};
  out.joint.child_frame = {make_body_xyz(random.vector(1.5)), random.vector(0.2)};
  return out;
}

// Turns about three axes, shifts along three, each by a function of one of `count` coordinates.
inline void set_axes_joint(Random& random, Skeleton& skeleton, Body& body, std::size_t count) {
  const std::size_t index = skeleton.bodies.size();
  for (std::size_t k = 0; k < count; ++k)
    body.joint.coordinates.push_back(
        add_coordinate(skeleton, index, body.name + "_" + std::to_string(k)));
  const std::array<Vec3d, 3> axes{{{1, 0.1, 0}, {0, 1, 0.2}, {0.1, 0, 1}}};
  for (std::size_t k = 0; k < 6; ++k) {
    TransformAxis& axis = body.joint.axes[k];
    axis.axis = normalized(axes[k % 3]);
    // The first axes are a coordinate's own, so that none is without effect.
    const std::size_t own = k < count ? k : random.index(count + 1);
    axis.coordinate = own < count ? body.joint.coordinates[own] : kNone;
    if (k < count)
      axis.function = make_line(random.between(0.7, 1.3), random.between(-0.2, 0.2));
    else
      axis.function = make_spline({-2, -1, 0.2, 1.1, 2}, random.numbers(5, k < 3 ? 0.4 : 0.1),
                                  SplineEnds::kNatural);
  }
}

inline void set_ellipsoid_joint(Random& random, Skeleton& skeleton, Body& body, Joint::Kind kind) {
  body.joint.kind = kind;
  body.joint.radii = {random.between(0.1, 0.2), random.between(0.1, 0.2), random.between(0.1, 0.2)};
  body.joint.winging_origin = {0.02, -0.03};
  body.joint.winging_direction = random.between(0, 1);
  const std::size_t count = kind == Joint::Kind::kEllipsoid ? 3 : 4;
  for (std::size_t k = 0; k < count; ++k)
    body.joint.coordinates.push_back(
        add_coordinate(skeleton, skeleton.bodies.size(), body.name + "_" + std::to_string(k)));
}

// A tree of 7 bodies: joints by axes of 1 to 6 coordinates, a weld, both ellipsoids.
inline Skeleton make_random_tree(unsigned seed) {
  Random random(seed);
  Skeleton out = make_ground();
  for (std::size_t i = 1; i <= 7; ++i) {
    Body body = make_body(random, "body" + std::to_string(i), random.index(i));
    if (i == 3)
      set_ellipsoid_joint(random, out, body, Joint::Kind::kScapulothoracic);
    else if (i == 4)
      set_ellipsoid_joint(random, out, body, Joint::Kind::kEllipsoid);
    else if (i != 5)  // 5 is a weld
      set_axes_joint(random, out, body, 1 + random.index(6));
    out.bodies.push_back(body);
  }
  return out;
}

// Rods of 1 kg and 1 m that hang from each other on pins about z; mass at the middle.
inline Skeleton make_pendulum(std::size_t count) {
  Skeleton out = make_ground();
  for (std::size_t i = 1; i <= count; ++i) {
    Body rod;
    rod.name = "rod" + std::to_string(i);
    rod.parent = i - 1;
    rod.mass = 1;
    rod.mass_center = {0, -0.5, 0};
    rod.inertia = Mat3d::diagonal({1.0 / 12, 0, 1.0 / 12});
    if (i > 1) rod.joint.parent_frame.translation = {0, -1, 0};
    rod.joint.coordinates = {add_coordinate(out, i, "angle" + std::to_string(i))};
    rod.joint.axes[0] = {{0, 0, 1}, rod.joint.coordinates[0], make_line(1, 0)};
    out.bodies.push_back(rod);
  }
  return out;
}

// Its first body floats: three turns, three shifts.
inline void let_float(Skeleton& skeleton) {
  Joint& joint = skeleton.bodies[1].joint;
  joint.coordinates.clear();
  const std::array<Vec3d, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t c = k == 2 ? 0 : add_coordinate(skeleton, 1, "float" + std::to_string(k));
    joint.coordinates.push_back(c);
    joint.axes[k] = {axes[k % 3], c, make_line(1, 0)};
  }
}

}  // namespace sinew::skeleton
