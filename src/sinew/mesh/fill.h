// How much of a tetrahedron a shape fills: the weight with which a lattice cell that the surface
// cuts counts, so that mass, volume and stiffness are those of the shape and not of the staircase.
#pragma once

#include <array>

#include "sinew/core/vec.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// Part of a tetrahedron where the linear function with these corner values is negative, in [0, 1].
double fill_fraction(const std::array<double, 4>& values);

// Part of a tetrahedron inside the shape, with the tetrahedron halved `depth` times along its
// edges. Error O(4^-depth) of the cell where the surface is smooth.
double fill_fraction(const Shape& shape, const std::array<Vec3d, 4>& corners, int depth);

}  // namespace sinew::mesh
