// How a voxel's neighbourhood votes on its label. For the repair of islands and of noise.
#pragma once

#include <cstdint>

#include "sinew/volume/image.h"

namespace sinew::volume {

// Stands for "not decided yet" in a volume under repair.
inline constexpr std::uint16_t kUnknownLabel = 0xFFFF;

// What a voxel's neighbours say: the label with the greatest weight among them, the centre left
// out, and the weight of the centre's own label.
struct Vote {
  std::uint16_t best = kUnknownLabel;  // ties go to the smaller label; undecided voxels do not vote
  float weight = 0;
  float own = 0;  // of neighbours that agree with the centre
};

// Neighbours across a face weigh 1, across an edge 0.3, across a corner 0.1, whatever the spacing:
// noise of a segmentation is of voxels. Wider kernels wear thin muscles away; a logistic regression
// on segmented arms with noise at their boundaries comes to much the same weights. Outside the
// image its border goes on.
Vote count_votes(const LabelVolume& labels, const Index& center);

}  // namespace sinew::volume
