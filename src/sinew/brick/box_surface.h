// The surface of a cube as a grid of triangles, closed and outward: what is seen of bodies that are
// boxes, with edges as sharp as theirs.
#pragma once

#include <functional>

#include "sinew/mesh/surface.h"

namespace sinew::brick {

// `place` takes points of [-1, 1]^3 to space; `cells` squares along each edge.
mesh::Surface make_box_surface(const std::function<Vec3d(const Vec3d&)>& place, int cells);

}  // namespace sinew::brick
