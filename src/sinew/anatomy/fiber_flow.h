// The direction of fibres in a muscle of any shape, as the flow of a fluid that enters through the
// origin and leaves through the insertion. For pennate and fan-shaped muscles and sheets.
//
//   div grad p = 0 in the muscle,  dp/dn = -1/A_o on the origin, 1/A_i on the insertion, 0
//   elsewhere
//
// p potential, A_o and A_i area of the ends (attachment and aponeurosis together), fibres along
// grad p. The flux is uniform, since a potential that is constant over an aponeurosis would force
// fibres to stand upright on it, and leave corners of fleshy ends without a direction. Where the
// muscle reaches beyond an end, as a belly's tip beyond the last contact with its bone, nothing
// would flow: the wall of such dead ends is added to the end, and the flow solved again. Finite
// volumes on the voxels, cut by the wall (cut_cells.h).
#pragma once

#include <cstdint>
#include <span>

#include "sinew/anatomy/model_settings.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

struct FiberFlow {
  volume::Field distance;            // m, as given
  volume::Image<Vec3f> directions;   // unit inside and two voxels beyond the wall, zero elsewhere
  volume::Field potential;           // m, mean of |grad p| is 1; zero outside the cut cells
  volume::Image<std::uint8_t> ends;  // voxels whose wall is an end: 1 origin, 2 insertion
  Vec3d line_of_action;              // unit, from origin to insertion without their aponeuroses
  std::size_t num_inside = 0;        // voxels
  double undirected = 0;             // part of them that had no flow: filled from around
  double imbalance = 0;              // flow out less flow in over flow in; rounding
  int iterations = 0;                // of the solver
  double residual = 0;               // relative, that it stopped at
};

// `distance` on an axis-aligned grid, m, negative inside; `end` per vertex of `surface`: 0 none, 1
// origin, 2 insertion. The aponeuroses of `settings` are added to the ends. Throws
// std::invalid_argument for a grid that is not axis-aligned, no voxel inside, or an end without
// vertices or without a wall. The same bits with any number of threads.
FiberFlow compute_fiber_flow(const volume::Field& distance, const mesh::Surface& surface,
                             std::span<const std::uint8_t> end, const FiberSettings& settings);

}  // namespace sinew::anatomy
