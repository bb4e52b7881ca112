// Connected pieces of what is inside a field. For checks that nothing was cut in two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/volume/image.h"

namespace sinew::levelset {

struct Components {
  std::vector<std::uint32_t> labels;  // (num_voxels) 0: outside; else 1 + the piece
  std::vector<std::size_t> sizes;     // (num_pieces) voxels, in the order of their first voxel
};

// Pieces of negative voxels that touch by faces, edges or corners.
Components find_components(const volume::Field& field);

}  // namespace sinew::levelset
