// Settings of the brick engine, in the words of the scene file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/element.h"
#include "sinew/engine/key_frames.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/material/activation_dynamics.h"
#include "sinew/material/elasticity.h"
#include "sinew/material/line_curves.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"

namespace sinew::brick {

// Fibres between the nodes along one axis of a mesh: lines of force generators (chen1992 6.1.1).
struct MuscleSettings {
  double max_force = 1;                                 // N, isometric, of the whole muscle
  double passive_force = 1;                             // of max_force at the passive curve's 1
  double max_velocity = 10;                             // optimal lengths a second, > 0
  double optimal_stretch = 1;                           // of fibres relative to rest, > 0
  double damping = 0.1;                                 // of max_force at max_velocity, >= 0
  material::LineShape shape{material::LineLaw::kHill};  // the curves
  std::vector<double> line_strengths;                   // of each line, mean 1; empty: all alike
  std::vector<double> recruitment;                      // of each line, 0..1; empty: all 1
  bool strength_by_volume = false;                      // of a fibre: its bricks' cross-sections
  std::optional<engine::KeyFrames> excitation;          // 0..1; absent: none
  std::optional<material::ActivationDynamics> dynamics = {};  // absent: activation = excitation
};

// Nodes that hang by strings on a place in the world or on a bone.
struct TendonSettings {
  std::string name;
  std::vector<std::uint32_t> nodes;
  Vec3d to{};                  // m, where the other ends are at rest
  bool parallel = false;       // each string ends at `to` from its own node, instead of at `to`
  engine::RigidMotion motion;  // of that end
  std::optional<std::size_t> bone;  // index into world.bones: moved by it instead
  double slack = 1;                 // slack length relative to the length at rest, > 0
  double max_force = 1;             // N, of all strings together, at the curve's 1
  double damping = 0.01;            // s: force a speed, relative to the present stiffness
};

// Nodes that are tied to a place: reaction constraints, met exactly.
struct TieSettings {
  std::string name;
  std::vector<std::uint32_t> nodes;
  engine::RigidMotion motion;
  std::optional<std::size_t> bone;
  double compliance = 0;  // m/N a node; 0: exact
};

enum class Strain { kSmall, kLarge };

struct BodySettings {
  std::string name;
  BrickMesh mesh;
  std::vector<material::Material> materials;  // one, or one a brick
  mesh::Surface surface;                      // what is looked at, embedded in the bricks
  Rule rule = Rule::k27;
  std::size_t modes = 0;       // to keep beside the frame; 0: all
  std::size_t fiber_axis = 2;  // natural axis of the bricks along which fibres run
  std::optional<MuscleSettings> muscle;
  std::vector<TendonSettings> tendons;
  std::vector<TieSettings> ties;
  Vec3d velocity{};          // at the start, m/s
  Vec3d angular_velocity{};  // about the centre of mass, rad/s
};

struct Settings {
  std::vector<BodySettings> bodies;
  engine::World world;
  Strain strain = Strain::kSmall;
  double step = 0.002;  // s, > 0: the longest
};

}  // namespace sinew::brick
