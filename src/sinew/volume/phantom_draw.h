// Draws the plan of an anatomy as voxels: bones, muscles packed against each other, tendons, skin
// and fat. For make_phantom.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"
#include "sinew/volume/phantom_plan.h"

namespace sinew::volume {

// Bones and muscles as they are planned.
struct Drawing {
  LabelVolume labels;                  // bone, cartilage, belly, tendon; 0 elsewhere
  std::vector<std::uint16_t> nearest;  // of voxels with label 0: what would grow there; 0: nothing
};

// A grid of cubes around the whole plan with room for the fat. `voxel`: edge, m.
Grid make_phantom_grid(const AnatomyPlan& plan, double voxel);

// Bone wins; between muscles the one whose own section a voxel is deeper in.
Drawing draw_plan(const AnatomyPlan& plan, const Grid& grid);

// Gives narrow clefts between muscles and bones to the nearest muscle, leaves one 6-connected piece
// of each muscle and no enclosed hollow, and wraps everything in fat.
LabelVolume finish_drawing(const AnatomyPlan& plan, Drawing drawing);

}  // namespace sinew::volume
