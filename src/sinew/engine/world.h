// What surrounds the tissue: gravity, force fields and rigid colliders. Plain settings, the same
// for every engine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/key_frames.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/mesh/shape.h"

namespace sinew::engine {

// A rigid obstacle. It moves by `motion` times the direction `travel`, without turning, or with a
// bone.
struct Collider {
  std::string name;
  mesh::Shape shape;
  double friction = 0;                   // Coulomb coefficient, >= 0
  Vec3d travel{0, 0, 0};                 // m for a motion value of 1
  std::optional<KeyFrames> motion;       // absent: at rest
  std::optional<std::size_t> bone = {};  // index into Bones: it moves as this one instead
};

// The bones that tissue is attached to, and tendons that do not stretch. `pose` takes a bone's
// points from where they are at rest to where they are at a time, `excursion` is how much longer a
// tendon's path is than at rest, m; whoever moves the bones supplies both. One thread at a time.
struct Bones {
  std::vector<std::string> names;
  std::function<RigidPose(std::size_t bone, double time)> pose;
  std::vector<std::string> tendons = {};
  std::function<double(std::size_t tendon, double time)> excursion = {};
};

// What tissue does to bones and tendons, on average over some time.
struct BoneLoads {
  std::vector<Wrench> wrenches;  // (num_bones)
  std::vector<double> tensions;  // (num_tendons) N, positive where the tissue pulls
};

struct UniformField {  // the same acceleration everywhere, as gravity
  Vec3d acceleration;  // m/s^2
};
struct PointField {  // towards a point; growing with r up to `radius`, falling as 1/r^2 beyond
  Vec3d center;
  double radius;    // m, > 0
  double strength;  // acceleration at `radius`, m/s^2; negative pushes away
};
struct PlaneField {  // towards a plane from both sides: what presses a body flat
  Vec3d point;       // of the plane
  Vec3d normal;      // unit
  double width;      // m, > 0: strength grows linearly up to this distance, then stays
  double strength;   // m/s^2; negative pushes away
};
struct WindField {  // drag towards a velocity, per mass
  Vec3d velocity;   // m/s
  double rate;      // 1/s, >= 0
};

struct ForceField {
  std::string name;
  std::variant<UniformField, PointField, WindField, PlaneField> form;
  std::optional<KeyFrames> strength;  // a factor in time; absent: 1
};

struct World {
  Vec3d gravity{0, -9.80665, 0};  // m/s^2
  std::vector<ForceField> fields;
  std::vector<Collider> colliders;
  Bones bones;
};

// Acceleration of a point by gravity and all fields, m/s^2.
Vec3d compute_acceleration(const World& world, double time, const Vec3d& x, const Vec3d& v);

// How fast the fields change velocities, 1/s: drag, and the swing of a mass in a point field. An
// explicit step must be shorter than its inverse.
double compute_field_rate(const World& world, double time);

// Where a collider is at a time, from where its shape was given.
RigidPose find_pose(const World& world, const Collider& collider, double time);

}  // namespace sinew::engine
