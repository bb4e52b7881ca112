// Where flow enters and leaves a muscle: the marks of its surface carried to the walls of its cut
// cells, and the source of each cell. For fiber_flow.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/cut_cells.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

// What the walls of the cells are, m^2.
struct FlowWalls {
  std::vector<double> area;        // (num_cells) of all of the wall, both sides of a thin sheet
  std::vector<double> in, out;     // (num_cells) of origin, of insertion
  std::vector<std::uint8_t> ends;  // (num_cells) 1 origin, 2 insertion: what the wall mostly is
};

struct FlowSource {
  // (num_cells) sums to zero over every connected piece: uniform over the wall of the origin, where
  // it is negative, and over that of the insertion. All of one end sums to 1.
  std::vector<double> source;
  std::vector<std::uint8_t> no_flow;  // (num_cells) 1 in pieces that lack one of the ends
  double imbalance = 0;               // sum of the source, before it is evened out by piece
};

// `end` per vertex of `surface`: 0 none, 1 origin, 2 insertion.
FlowWalls measure_flow_walls(const CutCells& cells, const mesh::Surface& surface,
                             std::span<const std::uint8_t> end);

// Throws std::invalid_argument where no connected piece of the muscle has both ends.
FlowSource make_flow_source(const CutCells& cells, const FlowWalls& walls);

// Gives the whole wall of a cell to an end, 1 or 2.
void set_end(FlowWalls& walls, std::size_t cell, std::uint8_t end);

}  // namespace sinew::anatomy
