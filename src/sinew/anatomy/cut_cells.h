// Voxels of a muscle as cells cut by its wall: which faces between them are open, and how large the
// piece of wall in each is. For the finite volumes of fiber_flow.h.
//
// A face's open part is the area where the distance, interpolated between the corners of the voxel,
// is negative; the wall is what closes the cell, A n = -sum of the open faces' area vectors. A flat
// wall at any angle is so met exactly, without steps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// Faces of a cell, in the order -x, +x, -y, +y, -z, +z.
constexpr std::size_t kFaces = 6;

struct CutCells {
  volume::Grid grid;
  std::vector<std::int32_t> cell_of;  // (num_voxels) -1 where the muscle has no part
  // (num_cells) cells with even i + j + k first, each half in the order of voxels
  std::vector<std::uint32_t> voxels;
  std::vector<std::array<std::int32_t, kFaces>> neighbors;  // -1 where the face is closed
  std::vector<std::array<float, kFaces>> openings;          // part of the face, [0, 1]
  std::vector<Vec3f> walls;                                 // area vector out of the muscle, m^2
};

// `distance` in m, negative inside; true near the wall, of the right sign elsewhere. Two neighbours
// whose centres are inside stay joined however thin the muscle is there. Throws
// std::invalid_argument where the axes of the grid are not along x, y, z or the sizes do not fit.
CutCells make_cut_cells(const volume::Field& distance);

// Edges of a voxel and area of a face, m and m^2.
Vec3d spacing_of(const volume::Grid& grid);
double face_area(const volume::Grid& grid, std::size_t axis);

}  // namespace sinew::anatomy
