// Vibration modes of a mesh: K phi = omega^2 M phi. For the modal engine, the lab and validation.
// Spectra finds the lowest modes by shift and invert; where nearly all are wanted a dense solver
// does.
//
// Source: docs/theory/bricks.md, equations (8)-(10); chen1992 section 3.4.2.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/brick/assembly.h"

namespace sinew::brick {

struct Modes {
  std::vector<double> frequencies;         // (num_modes) rad/s, increasing
  std::vector<std::vector<Vec3d>> shapes;  // (num_modes)(num_nodes) 1/sqrt(kg): phi^T M phi = 1
  std::size_t num_rigid = 0;               // how many of the first have no stiffness

  std::size_t size() const { return frequencies.size(); }
};

// The `count` lowest modes (all there are where it is larger). `held`: (num_nodes) not zero where a
// node cannot move. The sign of a shape is such that its largest component is positive. Throws
// std::invalid_argument where the eigenvalues cannot be found.
Modes compute_modes(const Matrices& matrices, std::span<const char> held, std::size_t count);

}  // namespace sinew::brick
