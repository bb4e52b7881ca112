// Solids made of solids: union, intersection, difference, and tendons added along a line. For
// repairs and models that need a part that the scan does not show.
#pragma once

#include <span>

#include "sinew/levelset/level_set.h"
#include "sinew/mesh/surface.h"

namespace sinew::levelset {

// Both level sets must have the same voxel. Borders are where they were; distances are made anew.
LevelSet make_union(const LevelSet& a, const LevelSet& b);
LevelSet make_intersection(const LevelSet& a, const LevelSet& b);
LevelSet make_difference(const LevelSet& a, const LevelSet& b);  // a without b

// Adds tapered capsules along the Catmull-Rom spline through `points` (m), with `radii` (m) at
// them, blended with the solid over half a radius. Preconditions: as many radii as points, at least
// one, all positive.
void add_capsules(LevelSet& level_set, std::span<const Vec3d> points,
                  std::span<const double> radii);

// The surface as triangles: closed, outward, manifold, by marching tetrahedra over a lattice with
// this spacing (m), so that no configuration is ambiguous. Precondition: not empty.
mesh::Surface make_surface(const LevelSet& level_set, double spacing);

}  // namespace sinew::levelset
