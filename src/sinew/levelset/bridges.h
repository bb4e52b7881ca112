// Ways back together for a solid that was cut in pieces: shortest paths through what was taken from
// it. For resolving overlaps without losing the connection of a muscle.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::levelset {

struct Bridges {
  std::vector<std::size_t> path;    // voxels to win back
  std::size_t num_unjoined = 0;     // pieces that nothing leads back to
  std::vector<std::size_t> crumbs;  // voxels of pieces too small to be joined
};

// All on one grid: `before` and `after` the cut, distances (m, negative inside, every voxel inside
// after was inside before); `barrier` is not zero where nothing can be won back. Pieces below
// `crumb` voxels are not joined. Each other piece is joined to the largest of what was one.
Bridges find_bridges(const volume::Field& before, const volume::Field& after,
                     const std::vector<std::uint8_t>& barrier, std::size_t crumb);

}  // namespace sinew::levelset
