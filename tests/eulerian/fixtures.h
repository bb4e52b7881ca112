// Small bodies on small grids for tests of the Eulerian engine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sinew/eulerian/prepare.h"
#include "sinew/eulerian/settings.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

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

// What two bodies fill twice, by occupancy, as a part of the first.
inline double measure_overlap(const Model& model, const State& state) {
  BodyWork a, b;
  prepare_body(model, state, 0, state.time, a);
  prepare_body(model, state, 1, state.time, b);
  const Grid& grid = model.grids[0].grid;
  std::vector<double> fill(static_cast<std::size_t>(grid.nodes[0] * grid.nodes[1] * grid.nodes[2]));
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    fill[to_grid(grid, a.block, a.cells.node[c])] = a.cells.fill[c];
  }
  double twice = 0;
  for (std::size_t c = 0; c < b.cells.size(); ++c) {
    twice += std::max(0.0, fill[to_grid(grid, b.block, b.cells.node[c])] + b.cells.fill[c] - 1);
  }
  return twice * grid.spacing * grid.spacing * grid.spacing / model.bodies[0].rest_volume;
}

// Mean distance between two bodies on their contact patch, m, as the last step saw it.
inline double measure_gap(const ContactRows& rows) {
  double area = 0, sum = 0;
  for (std::size_t r = 0; r < rows.cells.size(); ++r) {
    area += rows.area[r];
    sum += rows.area[r] * std::abs(rows.gap[r]);
  }
  return sum / area;
}

}  // namespace sinew::eulerian
