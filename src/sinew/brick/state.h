// The brick engine's state: small, copyable, and all that a run needs to go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/brick/model.h"

namespace sinew::brick {

struct State {
  double time = 0;  // s
  std::vector<BodyState> bodies;
  std::vector<double> activations;            // (num_bodies) 0..1
  std::vector<std::vector<double>> tensions;  // (num_bodies)(num_tendons) N, of the last step
  std::uint64_t steps = 0;
};

State make_state(const Model& model);

// The state as bytes, and back. Throws std::invalid_argument where the bytes are no state of this
// model or hold a number that is not finite.
std::vector<std::byte> to_bytes(const State& state);
State from_bytes(std::span<const std::byte> bytes, const Model& model);

}  // namespace sinew::brick
