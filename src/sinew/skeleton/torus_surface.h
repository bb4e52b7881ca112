// A torus about z as a surface that geodesics run on: for geodesic.h.
//
// Source: docs/theory/skeleton.md, equation (21).
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/skeleton/geodesic.h"

namespace sinew::skeleton {

struct TorusSurface {
  double ring, tube;  // radii, m
  double side;        // +1: contours are those from which a path turns upwards outside; or -1
  double size = tube;
  int steps = 8;

  // In the half-plane at angle `place`: a tangent to the tube's circle.
  Contour contour(const Vec3d& from, double place) const {
    const Vec3d out{std::cos(place), std::sin(place), 0}, around{-out.y, out.x, 0};
    const double x = dot(from, out) - ring, rate = dot(from, around);
    const double square = std::max(x * x + from.z * from.z, tube * tube * (1 + 1e-8));
    const double rest = std::sqrt(square - tube * tube);
    const double angle = std::atan2(from.z, x) + side * std::atan2(rest, tube);
    const double c = std::cos(angle), s = std::sin(angle);
    const double turning = rate * (side * x * tube / rest - from.z) / square;
    return {out * (ring + tube * c) + Vec3d{0, 0, tube * s},
            around * (ring + tube * c) + (out * -s + Vec3d{0, 0, c}) * (tube * turning)};
  }

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
