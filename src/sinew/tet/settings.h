// Settings of the tet engine, in the words of the scene file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/engine/key_frames.h"
#include "sinew/engine/world.h"
#include "sinew/material/elasticity.h"
#include "sinew/mesh/shape.h"

namespace sinew::tet {

struct BodySettings {
  std::string name;
  mesh::Shape shape;
  double resolution;  // edge of the lattice's cubes, m, > 0
  material::Material material;
  Vec3d velocity{0, 0, 0};                     // at the start, m/s
  Vec3d angular_velocity{0, 0, 0};             // at the start, about the centre of mass, rad/s
  std::optional<engine::KeyFrames> stiffness;  // factor on all moduli in time, > 0; absent: 1
};

struct StepSettings {
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
