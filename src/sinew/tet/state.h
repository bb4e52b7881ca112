// The tet engine's state: small, copyable, and all that a run needs to go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

struct State {
  double time = 0;                // s
  std::vector<Vec3d> positions;   // (num_nodes) m
  std::vector<Vec3d> velocities;  // (num_nodes) m/s
  std::vector<Vec3d>
      stiffest_mode;  // (num_nodes) of each body: direction of its fastest oscillation
  std::vector<Vec3d> accelerations;  // (num_nodes) m/s^2 of TR-BDF2; empty elsewhere
  std::vector<double> activations;   // (num_regions) 0..1
  double frequency_squared = 0;      // of the fastest, rad^2/s^2; 0: not yet known
  double step_limit = 0;             // s, what failed steps left; 0: none
  std::uint64_t steps = 0;           // taken since the start
  std::uint64_t halvings = 0;        // steps that failed and were tried again at half the size
};

// At rest shape, moving as the settings say.
State make_state(const Model& model, const Settings& settings);

// The state as bytes, and back. Throws std::invalid_argument where the bytes are no state of this
// model or hold a number that is not finite.
std::vector<std::byte> to_bytes(const State& state);
State from_bytes(std::span<const std::byte> bytes, const Model& model);

}  // namespace sinew::tet
