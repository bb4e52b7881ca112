// Lays the fibres of a muscle out on a plane, so that neighbours stay neighbours: the coordinates
// (u, v) of a B-spline solid whose w runs along the fibres. For flow_solid.h.
//
// Distances between fibres are walked from neighbour to neighbour; the first axis of their
// classical scaling is u (Isomap: Tenenbaum, de Silva, Langford 2000), so that a curved sheet is
// unrolled where a plane across the fibres would fold it. Departure: v is not the second axis,
// which tells of a sheet's curvature before its thickness, but summed up from neighbour to
// neighbour along the direction across both fibre and u.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/vec.h"

namespace sinew::anatomy {

// (u, v) of each line, m, so that u, v and the fibre are right-handed. Each line has the same
// number of points, at equal parts of its length. Precondition: at least four lines.
std::vector<std::array<double, 2>> lay_out_lines(const std::vector<std::vector<Vec3d>>& lines);

}  // namespace sinew::anatomy
