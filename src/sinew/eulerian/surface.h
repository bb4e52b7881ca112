// The surface of a body that is shown: vertices that travel with the material and are drawn to
// where their rest position is found on the grid (the map X(x) inverted by Newton's method).
#pragma once

#include <vector>

#include "sinew/eulerian/block.h"

namespace sinew::eulerian {

// Carries the vertices along the block's velocities.
void move_surface(const Block& block, double dt, std::vector<Vec3d>& positions);

// One step of Newton's method for X(x) = rest, of at most half a cell.
void correct_surface(const Block& block, const std::vector<Vec3d>& rest,
                     std::vector<Vec3d>& positions);

}  // namespace sinew::eulerian
