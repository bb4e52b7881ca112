// What shows that a part of a label is a leak, and not its shape: the processes of bones and the
// bulges of muscles, too, lie for a few slices where their neighbour lies before and after. For
// repair_leaks.cc; docs/theory/anatomy.md has the reasons.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/volume/section.h"

namespace sinew::volume {

// The label `to` lies in slices [first, last] where `from` belongs.
struct Leak {
  std::uint16_t from, to;
  std::int32_t first, last;
  VoxelBox box;                         // of the patches at both ends
  std::vector<std::size_t> start, end;  // places of the patches, in slices first and last
};

// Whether the leak is a prism, of four slices or more and as wide at its ends as between them,
// that begins and ends at once: nowhere else, from three slices before it to three after, do as
// many of the voxels around it change the same way as two fifths of those at its start or end.
// `voxels` are the offsets of the leak's voxels, its slices lie across `axis`.
bool is_shown(const LabelVolume& labels, const Leak& leak, std::size_t axis,
              const std::vector<std::size_t>& voxels);

}  // namespace sinew::volume
