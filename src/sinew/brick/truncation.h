// How much is lost by leaving modes out, and how many to keep: for a load, the part of the static
// answer that the kept modes do not have. For users who choose a number of modes.
//
// Source: docs/theory/bricks.md, equation (30).
// Departures: the thesis lets the user choose by eye (its measure after Bathe needs the run).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/brick/modes.h"

namespace sinew::brick {

struct Truncation {
  // (num_modes + 1) part of the load's static energy that is lost with the first k modes, 1 to 0.
  std::vector<double> losses;
  std::size_t suggested =
      0;  // the fewest modes with a loss of at most the tolerance; all where none
};

// `loads`: (num_nodes) N; their rigid part is taken out. Nodes in `held` do not move, as for the
// modes. Throws std::invalid_argument where the load only moves the body as a whole.
Truncation estimate_truncation(const Matrices& matrices, const Modes& modes,
                               std::span<const Vec3d> loads, std::span<const char> held,
                               double tolerance = 0.01);

}  // namespace sinew::brick
