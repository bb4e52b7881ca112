// What one wrap object does to one straight stretch of a path: the vocabulary that the rules of all
// shapes share. For the files wrap_*.cc and the path solver.
//
// Points are in the object's frame, m. Source: docs/theory/skeleton.md, "Paths and wrapping".
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/skeleton.h"

namespace sinew::skeleton {

enum class WrapStatus {
  kStraight,   // the stretch stays straight
  kInside,     // an end lies inside the object: straight as well
  kWrapped,    // bent; another stretch may suit the object better
  kMandatory,  // bent, since the straight line would cross the object
};

// How much less than 1 the square of an end's distance, in radii, may be for the end to count as on
// the surface: what files round away. OpenSim's value for ellipsoids.
inline constexpr double kWrapSkin = 1e-4;

// A point and the point it wants to reach.
struct Stretch {
  Vec3d from, to;
};

// The curve on the object, from the point where the path touches it to where it leaves it.
struct WrapArc {
  Vec3d first{}, last{};  // m
  double length = 0;      // m
  // Across a ring's hole it goes straight for `flight` after `lift`, both part of the length, m.
  double lift = 0, flight = 0;
  // The curve between, for pictures: scale * (center + R(axis, t turn) (first / scale - center))
  // + t drift for t in 0..1; or, where `geodesic`, the shortest line that starts along `axis`.
  Vec3d center{}, axis{0, 0, 1}, drift{};
  double turn = 0;  // rad
  Vec3d scale{1, 1, 1};
  bool geodesic = false;
};

// Adds points between the first and the last one, at most `spacing` (m) apart.
void add_arc_points(const WrapObject& object, const WrapArc& arc, double spacing,
                    std::vector<Vec3d>& points);

// Component-wise: how ellipsoids become unit spheres and back.
constexpr Vec3d multiply(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
constexpr Vec3d divide(const Vec3d& a, const Vec3d& b) {
  return {a.x / b.x, a.y / b.y, a.z / b.z};
}

// a / |a|, or zero where a is zero.
inline Vec3d direction_of(const Vec3d& a) {
  const double size = norm(a);
  return size > 0 ? a / size : Vec3d{0, 0, 0};
}

// +1 or -1; zero counts as positive, as it does in OpenSim.
constexpr double sign_of(double a) {
  return a < 0 ? -1 : 1;
}

// The axis that a quadrant names: 0, 1 or 2. Precondition: object.quadrant is not 0.
constexpr std::size_t quadrant_axis(const WrapObject& object) {
  return static_cast<std::size_t>(object.quadrant < 0 ? -object.quadrant : object.quadrant) - 1;
}
// Whether a point is on the side where the object may be wrapped.
constexpr bool on_active_side(const WrapObject& object, const Vec3d& x) {
  return object.quadrant == 0 ||
         sign_of(x[quadrant_axis(object)]) == sign_of(static_cast<double>(object.quadrant));
}

}  // namespace sinew::skeleton
