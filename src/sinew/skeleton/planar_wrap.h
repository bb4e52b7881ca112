// The shortest way around a circle in its plane: the core of all exact wraps, since cylinders
// unroll, spheres are cut by the plane of the path, and ellipsoids are scaled spheres.
//
// Source: docs/theory/skeleton.md, equation (12). Coordinates are about the circle's centre.
#pragma once

#include <cmath>
#include <numbers>

namespace sinew::skeleton {

struct PlanarPoint {
  double x, y;  // m
};

struct PlanarWrap {
  double first_angle = 0;                  // rad, of the point where the path touches
  double turn = 0;                         // rad, signed, to where it leaves; 0: it stays straight
  double first_reach = 0, last_reach = 0;  // m, straight parts
  bool crosses = false;                    // the straight line would cross the circle
};

// With `sided`, the ray y = 0, x < 0 is a wall: the way passes where x > 0. Without, it is the
// shorter of the two. Precondition: both points are outside the circle.
inline PlanarWrap wrap_planar(const PlanarPoint& from, const PlanarPoint& to, double radius,
                              bool sided) {
  PlanarWrap wrap;
  const double d1 = std::hypot(from.x, from.y), d2 = std::hypot(to.x, to.y);
  const double first = std::atan2(from.y, from.x);
  double sweep = std::atan2(to.y, to.x) - first;
  if (!sided) sweep = std::remainder(sweep, 2 * std::numbers::pi);
  const double a1 = std::acos(std::min(1.0, radius / d1));
  const double a2 = std::acos(std::min(1.0, radius / d2));
  const double arc = std::abs(sweep) - a1 - a2;
  if (!(arc > 0)) return wrap;
  const double side = sweep < 0 ? -1 : 1;
  wrap.first_angle = first + side * a1;
  wrap.turn = side * arc;
  wrap.first_reach = std::sqrt(std::max(0.0, d1 * d1 - radius * radius));
  wrap.last_reach = std::sqrt(std::max(0.0, d2 * d2 - radius * radius));
  wrap.crosses = std::abs(std::remainder(sweep, 2 * std::numbers::pi)) > a1 + a2;
  return wrap;
}

}  // namespace sinew::skeleton
