// Moves the nodes of badly shaped tetrahedra until their dihedral angles are good. For
// make_conforming_mesh, after stuffing.
//
// Source: optimisation-based smoothing of the worst angle, Freitag and Ollivier-Gooch (1997);
// teran2005 section 3.2 ends with the same step. Departure: a direct search instead of the active
// set, which needs no gradient of the distance where the surface has an edge.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/quality.h"
#include "sinew/mesh/shape.h"

namespace sinew::mesh {

// What every mesh is to reach, rad.
inline constexpr DihedralRange kAllowedDihedral{10 * 0.017453292519943295,
                                                155 * 0.017453292519943295};

// A move is kept only if the worst tetrahedron at the node gains. Boundary nodes slide along the
// zero contour; only where that does not bring the angles into kAllowedDihedral may they leave it,
// by less than 0.1 `cell` (m). `boundary` lists the nodes on the contour, increasing.
void improve_mesh(const Shape& shape, double cell, std::span<const std::uint32_t> boundary,
                  std::span<const TetNodes> tets, std::vector<Vec3d>& positions);

}  // namespace sinew::mesh
