// The state of coupled bones as bytes, and back: for checkpoints.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/coupling/two_way.h"
#include "sinew/skeleton/multibody.h"

namespace sinew::coupling {

std::vector<std::byte> bones_to_bytes(const skeleton::MultibodyState& bones,
                                      const InverseSlope& slope);

// Reads what bones_to_bytes wrote for as many coordinates as `bones` has; returns how many bytes
// that was. Throws std::invalid_argument, leaving `bones` and `slope` alone, where the bytes end
// too early, are of another skeleton or hold a value that is not finite.
std::size_t bones_from_bytes(std::span<const std::byte> bytes, std::size_t num_free,
                             skeleton::MultibodyState& bones, InverseSlope& slope);

}  // namespace sinew::coupling
