// The Eulerian engine's state: for each body a narrow band of grid nodes with what material is
// there and how fast it moves. Copyable, and all that a run needs to go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/model.h"

namespace sinew::eulerian {

struct BodyState {
  // The band: nodes in and around the body, as node_index() of the grid, increasing.
  std::vector<std::uint32_t> nodes;
  std::vector<Vec3d> material;    // X at the nodes, m
  std::vector<Vec3d> velocities;  // at the nodes, m/s
  // Pressures of the last step, by cell, increasing: where the next solve begins.
  std::vector<std::uint32_t> cells;
  std::vector<double> pressures;  // Pa
  std::vector<Vec3d> surface;     // (num_vertices of Body::surface) m, in the grid's frame
};

// A multiplier of contact rows: where the next solve begins.
struct ContactState {
  std::vector<std::uint32_t> cells;  // increasing
  std::vector<double> pressures;     // Pa, positive pushes apart
};

// In the last step; at the start, that at 0 s.
struct GridMotion {
  Vec3d velocity{0, 0, 0};          // of the grid's origin, world axes, m/s
  Vec3d angular_velocity{0, 0, 0};  // rad/s, world axes
};

struct State {
  double time = 0;  // s
  std::vector<BodyState> bodies;
  std::vector<ContactState> contacts;   // of Model::contacts
  std::vector<ContactState> obstacles;  // of each collider with each body, bodies fastest
  std::vector<GridMotion> grids;
  double critical_step = 0;   // s, of the last step's stresses; 0: not yet known
  double work = 0;            // J, that active shapes did on tissue by changing
  double elastic_energy = 0;  // J, at the last step's start with its activation
  std::uint64_t steps = 0;    // taken since the start
};

State make_state(const Model& model, const Settings& settings);

// The state as bytes, and back. Throws std::invalid_argument where the bytes are no state of this
// model or hold a number that is not finite.
std::vector<std::byte> to_bytes(const State& state);
State from_bytes(std::span<const std::byte> bytes, const Model& model);

}  // namespace sinew::eulerian
