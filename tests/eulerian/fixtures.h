// Small bodies on small grids for tests of the Eulerian engine.
#pragma once

#include <array>

#include "sinew/eulerian/settings.h"

namespace sinew::eulerian {

// A cube of 0.14 m in the middle of a grid of 0.32 m with n cells a side, free in space.
inline Settings make_cube(int n, VolumeMode mode, Integrator integrator) {
  Settings settings;
  GridSettings grid;
  grid.low = {-0.16, -0.16, -0.16};
  grid.spacing = 0.32 / n;
  grid.cells = {n, n, n};
  settings.grids.push_back(grid);
  BodySettings body;
  body.name = "cube";
  body.shape = {mesh::Box{{0, 0, 0}, {0.14, 0.14, 0.14}}};
  body.law = {1000, 1e4, 5e3, mode};
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = integrator;
  return settings;
}

// A bar of 0.16 x 0.06 x 0.06 m on cells of 2 cm, free in space.
inline Settings make_bar(Integrator integrator, const Vec3d& low = {-0.16, -0.1, -0.1},
                         const std::array<int, 3>& cells = {16, 10, 10}) {
  Settings settings;
  GridSettings grid;
  grid.low = low;
  grid.spacing = 0.02;
  grid.cells = cells;
  settings.grids.push_back(grid);
  BodySettings body;
  body.name = "bar";
  body.shape = {mesh::Box{{0, 0, 0}, {0.16, 0.06, 0.06}}};
  body.law = {1000, 1e4, 5e3, VolumeMode::kStabilized};
  settings.bodies.push_back(body);
  settings.world.gravity = {0, 0, 0};
  settings.step.integrator = integrator;
  settings.step.damping = 30;
  return settings;
}

// Pressed from both sides towards x = 0, as fan2014 figure 7.
inline void press(double acceleration, Settings& settings) {
  settings.world.fields.push_back(
      {"press", engine::PlaneField{{0, 0, 0}, {1, 0, 0}, 0.01, acceleration}, {}});
}

}  // namespace sinew::eulerian
