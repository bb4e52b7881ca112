// Settings of the Eulerian engine, in the words of the scene file: grids, the bodies on them, which
// of them are in close contact, and how time is stepped. Source: fan2014; docs/theory/eulerian.md.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/engine/key_frames.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/mesh/shape.h"

namespace sinew::eulerian {

// A uniform grid of cubes. Its frame is the world's, or moves with a bone or as told: positions and
// velocities on it are those seen by an observer on the grid.
struct GridSettings {
  Vec3d low;                                  // its corner in its own frame, m
  double spacing = 0.01;                      // edge of a cell, m, > 0
  std::array<int, 3> cells{};                 // each >= 8
  std::optional<std::size_t> bone = {};       // index into world.bones: the grid is fixed to it
  std::optional<engine::RigidMotion> motion;  // or moves so; absent: at rest
};

enum class VolumeMode {
  kNone,        // compressible: lame is the resistance
  kVelocity,    // div v = 0, eq. 6
  kStabilized,  // div v draws the volume back to that at rest, eq. 10
};

// W = mu/2 (I1 - 3 - 2 ln J); the volume is kept by rows of the system, or by `lame`.
struct TissueLaw {
  double density = 1060;       // kg/m^3, > 0
  double shear_modulus = 1e4;  // Pa, > 0
  double lame = 2e4;           // Pa, >= 0, of VolumeMode::kNone only
  VolumeMode volume = VolumeMode::kStabilized;
};

// The end of a tendon that does not stretch (fan2014 section 7.1): as the tendon's path grows, it
// gives way.
struct TendonEnd {
  std::size_t tendon = 0;  // index into world.bones.tendons
  Vec3d direction;         // unit, in the grid's frame: where the end goes as the path grows
};

// Material within a shape at rest, moved as told.
struct AttachmentSettings {
  std::string name;
  mesh::Shape where;                     // in the body's rest frame
  engine::RigidMotion motion;            // in the grid's frame
  std::optional<std::size_t> bone = {};  // index into world.bones: moved by it instead
  std::optional<TendonEnd> tendon = {};  // or by a tendon, seen from the grid
};

struct BodySettings {
  std::string name;
  mesh::Shape shape;     // at rest, in the grid's frame
  std::size_t grid = 0;  // index into Settings::grids
  TissueLaw law;
  std::vector<AttachmentSettings> attachments;
  // The active shape: where a point at rest is in the stress-free shape of full activation (psi of
  // fan2014 eq. 2), defined some cells outside the body too. Empty: none.
  std::function<Vec3d(const Vec3d&)> active_map;
  std::optional<engine::KeyFrames> activation;  // 0..1 in time; absent: none
  Vec3d velocity{0, 0, 0};                      // at the start, m/s
  Vec3d angular_velocity{0, 0, 0};              // at the start, about the shape's box, rad/s
  double surface_spacing = 0;                   // of the surface that is shown, m; 0: the grid's
  bool hollow = false;                          // a layer: only its outside is shown, as skin
};

// Two bodies of one grid, or a body and a rigid shape fixed to its grid, that slide on each other
// without separating (fan2014 section 6).
struct ContactSettings {
  std::size_t body = 0;                 // index into Settings::bodies
  std::optional<std::size_t> other;     // the other body
  std::optional<mesh::Shape> obstacle;  // or what it slides on, such as a bone
  // Patch in the first body's rest frame; material outside it may leave. Absent: wherever the two
  // are in contact at rest, within 0.75 cells.
  std::optional<mesh::Shape> patch = {};
};

enum class Integrator { kExplicit, kImplicit };

struct StepSettings {
  Integrator integrator = Integrator::kImplicit;
  double step = 0.002;      // s, > 0: the longest step
  double safety = 0.5;      // explicit step as a part of the critical one, in (0, 1)
  double min_step = 1e-8;   // s: below it the run is given up with a StepFailure
  double gamma = 0.3;       // of eq. 10, in (0, 1]
  double smoothing = 0.05;  // alpha of the pressure's smoothing, >= 0
  double tolerance = 1e-5;  // relative residual of the linear solves, in (0, 1)
  double damping = 0;       // 1/s, >= 0: velocity lost by friction against the grid
};

struct Settings {
  std::vector<GridSettings> grids;
  std::vector<BodySettings> bodies;
  std::vector<ContactSettings> contacts;
  engine::World world;  // gravity, fields, obstacles, bones
  StepSettings step;
};

}  // namespace sinew::eulerian
