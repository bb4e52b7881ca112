// The rows that keep a body's volume, one a cell: eq. 10 of fan2014, its velocity form, or the
// resistance of a compressible tissue.
//
// Departure D (docs/theory/eulerian.md): cells less than 0.3 full share the row of a fuller
// neighbour. A compressible tissue's resistance is a row with compliance V/(lame dt^2), which acts
// on the cell's mean and is as stable as the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/eulerian/block.h"
#include "sinew/eulerian/cell_forces.h"
#include "sinew/eulerian/occupancy.h"
#include "sinew/eulerian/rows.h"
#include "sinew/eulerian/settings.h"

namespace sinew::eulerian {

struct VolumeRows {
  std::uint32_t begin = 0;            // of the body's rows
  std::vector<std::int32_t> of_cell;  // (num_cells) row, -1: none
  std::vector<std::uint32_t> head;    // (rows of the body) the fullest cell of each
};

// What rows of one body need of it.
struct VolumeTask {
  const TissueLaw& law;
  const StepSettings& step;
  const Block& block;
  const Cells& cells;
  const std::vector<CellForces>& forces;
  std::size_t body;
  double dt;
};

// Adds the rows of a body; `pressure` (num_cells, Pa) is where their solve begins.
VolumeRows add_volume_rows(const VolumeTask& task, const Unknowns& unknowns,
                           const std::vector<double>& pressure, Rows& rows,
                           std::vector<Link>& links);

}  // namespace sinew::eulerian
