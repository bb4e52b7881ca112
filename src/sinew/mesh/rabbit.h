// A sitting rabbit as a closed surface: what scenes drop where the papers drop a scanned one. It is
// a smooth union of ellipsoids of our own, so that nothing has to be shipped or downloaded.
#pragma once

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// How far x is from a rabbit of height 1 that sits on y = 0 about the origin and looks along +x:
// negative inside, right in sign and near its surface, a bound elsewhere.
double rabbit_distance(const Vec3d& x);

// Its surface, `height` (m, > 0) tall, moved by `offset` (m); closed, outward, of triangles a
// fiftieth as long as it is tall.
Surface make_rabbit(double height, const Vec3d& offset);

}  // namespace sinew::mesh
