// Level sets of labelled voxels: the staircase is taken off, the inside of every voxel centre is
// kept (after Whitaker 2000, "Reducing aliasing artifacts in iso-surfaces of binary volumes").
//
// The volume is that of the marked voxels. Thick slices are joined by interpolating distances
// between them. Departure: distances are smoothed by a Gaussian of 0.8 of the finest spacing
// instead of by their curvature; the constraint at voxel centres is the paper's.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/levelset/level_set.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

// kSmooth: curvature flow as of smooth.h takes off what steps are left.
enum class Finish { kPlain, kSmooth };

// What any of the labels marks, as one solid; empty where none occurs. The volume's grid may be
// turned and have unequal spacing; its axes count as orthogonal. `voxel` in metres, positive: not
// much more than the finest spacing, or thin parts are lost.
LevelSet make_level_set(const volume::LabelVolume& volume, std::span<const std::uint16_t> labels,
                        double voxel, Finish finish = Finish::kPlain);

}  // namespace sinew::levelset
