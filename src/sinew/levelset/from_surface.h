// Level sets of triangle surfaces, straight from the mesh and without smoothing: distances are
// those to the triangles.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/repair.h"
#include "sinew/levelset/level_set.h"
#include "sinew/mesh/surface.h"

namespace sinew::levelset {

struct SurfaceLevelSet {
  LevelSet level_set;           // empty where refused
  std::vector<Repair> repairs;  // without a part's name: "orientation", "hole",
                                // "self-intersection", "thin", "island"
  std::string refusal;          // what is wrong and what to do; empty where nothing is
};

// Holes up to 6 voxels are closed; inside is what the surface winds around at least once; a solid
// in one piece stays in one piece, thickened to a voxel where its samples would fall apart. Refuses
// larger holes, coordinates that are not numbers, and boxes of more than 2^31 voxels. `voxel` in
// metres, positive. Uses one thread, so that many surfaces can be made at once.
SurfaceLevelSet make_level_set(const mesh::Surface& surface, double voxel);

}  // namespace sinew::levelset
