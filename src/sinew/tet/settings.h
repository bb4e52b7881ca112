// Settings of the tet engine, in the words of the scene file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/anatomy/active_map.h"
#include "sinew/anatomy/model.h"
#include "sinew/engine/key_frames.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/material/elasticity.h"
#include "sinew/mesh/read_tet_mesh.h"
#include "sinew/mesh/shape.h"

namespace sinew::tet {

// Another material within a shape, such as tendon at a muscle's ends.
struct TissueSettings {
  mesh::Shape where;
  material::Material material;
};

// A part of a body that is excited on its own. Elements in none of them are never active.
struct RegionSettings {
  std::string name;
  std::optional<mesh::Shape> where;                      // absent: the whole body
  std::optional<engine::KeyFrames> excitation;           // 0..1 in time; absent: none
  std::optional<material::ActivationDynamics> dynamics;  // absent: activation = excitation
  // Optimal lengths a second at which shortening leaves no force, > 0; absent: force does not
  // depend on velocity, as in the papers.
  std::optional<double> max_fiber_rate = {};
};

// Nodes within a shape at rest, moved as told.
struct AttachmentSettings {
  std::string name;
  mesh::Shape where;
  engine::RigidMotion motion;
  // Of the body, instead of those within the shape: what a muscle of a built model is held by.
  std::vector<std::uint32_t> nodes = {};
  std::optional<std::size_t> bone = {};  // index into world.bones: moved by it instead of `motion`
  // A body whose tissue carries the nodes instead of all these, where the scene has it and steps
  // are implicit.
  std::string tied_to = {};
};

struct BodySettings {
  std::string name;
  mesh::Shape shape;
  double resolution;                              // edge of the lattice's cubes, m, > 0
  std::shared_ptr<const mesh::TetMeshFile> mesh;  // a user's own mesh instead of the two
  // A muscle of a built model instead: it brings lattice, surface, fibres, and which element is
  // what. `tissues` then are tendon and aponeurosis, `regions` its regions, all without a place.
  std::shared_ptr<const anatomy::Muscle> muscle;
  material::Material material;
  std::vector<TissueSettings> tissues;        // later ones win
  std::function<Vec3d(const Vec3d&)> fibers;  // unit direction at a rest position; empty: none
  std::vector<RegionSettings> regions;        // later ones win
  std::vector<AttachmentSettings> attachments;
  // Where its material rests at activation one; absent: activation does not change its rest shape.
  std::shared_ptr<const anatomy::ActiveMap> active_shape = {};
  double scramble = 0;      // nodes start at random within this part of the body's box, 0: at rest
  Vec3d velocity{0, 0, 0};  // at the start, m/s
  Vec3d angular_velocity{0, 0, 0};             // at the start, about the centre of mass, rad/s
  std::optional<engine::KeyFrames> stiffness;  // factor on all moduli in time, > 0; absent: 1
};

enum class Integrator { kSemiExplicit, kBackwardEuler, kTrBdf2, kQuasiStatic };
enum class Accuracy { kAnimation, kEngineering };

struct StepSettings {
  Integrator integrator = Integrator::kSemiExplicit;
  Accuracy accuracy = Accuracy::kAnimation;
  double step = 1.0 / 48;   // s, > 0: the longest step of the implicit integrators
  double safety = 0.7;      // step as a part of the critical step, in (0, 1)
  double max_step = 0.005;  // s, > 0
  double min_step = 1e-9;   // s, > 0: below it the run is given up with a StepFailure
  double tolerance = 1e-3;  // relative residual of the damping solve, in (0, 1)
};

struct Settings {
  std::vector<BodySettings> bodies;
  engine::World world;
  StepSettings step;
};

}  // namespace sinew::tet
