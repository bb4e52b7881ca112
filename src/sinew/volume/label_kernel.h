// How a voxel's neighbourhood votes on its label. For the repair of islands and of noise.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/volume/image.h"

namespace sinew::volume {

// Stands for "not decided yet" in a volume under repair.
inline constexpr std::uint16_t kUnknownLabel = 0xFFFF;

// Weights of the 26 neighbours, [i + 3 (j + 3 k)] of steps -1, 0, 1 counted from 0. A neighbour
// across a face weighs about kFaceWeight, across an edge 0.16 and across a corner 0.09 of that.
// Whole numbers, so that sums do not depend on the order of the axes.
using LabelKernel = std::array<std::int32_t, 27>;
inline constexpr std::int32_t kFaceWeight = 1000;

// The same along all axes.
LabelKernel make_even_kernel();

// A step along an axis weighs the more, the fewer labels change along it in this volume, as along
// the muscles of a limb or where slices are thin; the faces' weights have the mean kFaceWeight.
LabelKernel make_fitted_kernel(const LabelVolume& labels);

// What a voxel's neighbours say.
struct Vote {
  std::uint16_t best = kUnknownLabel;  // of the labels other than the centre's; ties: the smaller
  std::int32_t faces = 0;              // weight of the best across faces
  std::int32_t rest = 0;               // across edges and corners
  std::int32_t own_faces = 0;          // the same of the centre's label
  std::int32_t own_rest = 0;
};

// Undecided voxels do not vote. Outside the image its border goes on.
Vote count_votes(const LabelVolume& labels, const LabelKernel& kernel, const Index& center);

}  // namespace sinew::volume
