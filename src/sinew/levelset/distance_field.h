// Signed distances on dense cubes of voxels: solving |grad phi| = 1 from the surface, and the
// volume inside. For level sets, whose algorithms work on such crops.
//
// Departure from common redistancing: the voxels of cells that the surface crosses keep their
// values, so that two solids that share a border still share it, to the last bit, afterwards.
#pragma once

#include <array>
#include <cstddef>

#include "sinew/volume/image.h"

namespace sinew::levelset {

// Edge of a voxel, m. Throws std::logic_error unless voxels are cubes along the world's axes.
double spacing_of(const volume::Grid& grid);

// Replaces all values but those next to the surface by distances (fast marching, first order);
// outside, values above `bound` (m) become `bound`.
void redistance(volume::Field& field, double bound);

// The same with `bound` on both sides: all that the neighbourhood of the surface needs.
void redistance_band(volume::Field& field, double bound);

// Continues distances outside from those below `known` up to `bound` (m, bound >= known).
void extend_outside(volume::Field& field, double known, double bound);

// Continues depths inside from those above -`known` (m); the outside stays.
void extend_inside(volume::Field& field, double known);

// Divides the values next to the surface by the size of their gradient (not below `least`): turns
// any function with the right zero set into what redistance() wants.
void normalize_near_surface(volume::Field& field, double least);

// Offsets of a cell's eight voxels from its lowest: bit 0, 1, 2 of the corner is a step along i, j,
// k.
std::array<std::size_t, 8> cell_corners(const volume::Grid& grid);

// Part of a cell where values at these corners are negative, linear in the six tetrahedra of it.
double filled_part(const std::array<double, 8>& v);

// Volume where the field is negative, m^3, the sum of filled_part; exact for planes. What lies
// beyond the outermost voxel centres counts for nothing.
double compute_volume(const volume::Field& field);

}  // namespace sinew::levelset
