// A torus about z as a surface that geodesics run on: for pictures, by geodesic.h.
//
// Source: docs/theory/skeleton.md, equation (21).
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/skeleton/geodesic.h"

namespace sinew::skeleton {

struct TorusSurface {
  double ring, tube;  // radii, m

  struct Bend {
    Vec3d normal, around;
    double along_tube, along_ring;  // curvatures, 1/m
    double gaussian;                // 1/m^2
    double second(const Vec3d& a, const Vec3d& b) const {
      const double ring_part = dot(a, around) * dot(b, around);
      return -along_tube * (dot(a, b) - ring_part) - along_ring * ring_part;
    }
  };
  Bend bend(const Vec3d& x) const {
    const double radius = std::max(std::hypot(x.x, x.y), 1e-300);
    const Vec3d out{x.x / radius, x.y / radius, 0};
    const Vec3d arm{out.x * (radius - ring), out.y * (radius - ring), x.z};
    const Vec3d normal = direction_of(arm);
    const double along_ring = dot(normal, out) / radius;
    return {normal, {-out.y, out.x, 0}, 1 / tube, along_ring, along_ring / tube};
  }
};

}  // namespace sinew::skeleton
