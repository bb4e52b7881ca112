// Continues a field of a block outward, a layer of nodes at a time, by weighted least squares: an
// affine function through the known nodes of a 5 x 5 x 5 neighbourhood, weight distance^-4.
// docs/theory/eulerian.md, eq. 9.
//
// Departure from fan2014 and levin2011, which continue constants: with those the crushed cube loses
// three times as much volume.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/eulerian/block.h"

namespace sinew::eulerian {

struct Extrapolation {
  int layers = 2;
  double ridge = 1e-3;         // weight on gradients, as a part of the data's; more is flatter
  bool displacements = false;  // continue field - position, for material coordinates
};

// `valid` (nodes of the block; 1: given) grows by the layers; returns the new nodes, increasing
// within each layer.
std::vector<std::uint32_t> extrapolate(const Block& block, const Extrapolation& settings,
                                       const std::vector<std::uint32_t>& given,
                                       std::vector<std::uint8_t>& valid, NodeField& field);

}  // namespace sinew::eulerian
