// The state of coupled bones as bytes, and back: for checkpoints.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/coupling/two_way.h"
#include "sinew/engine/world.h"
#include "sinew/skeleton/multibody.h"

namespace sinew::coupling {

struct CoupledBones {
  skeleton::MultibodyState bones;
  InverseSlope slope;
  engine::BoneLoads loads;  // of the last step; empty before the first
};

std::vector<std::byte> bones_to_bytes(const CoupledBones& state);

// How many there must be.
struct BoneCounts {
  std::size_t coordinates, free, bones, tendons;
};

// Reads what bones_to_bytes wrote; returns how many bytes that was. Throws std::invalid_argument,
// leaving `state` alone, where the bytes end too early, are of another skeleton or hold a value
// that is not finite.
std::size_t bones_from_bytes(std::span<const std::byte> bytes, const BoneCounts& counts,
                             CoupledBones& state);

}  // namespace sinew::coupling
