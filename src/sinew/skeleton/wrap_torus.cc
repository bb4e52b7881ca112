#include "sinew/skeleton/wrap_torus.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/skeleton/ring_path.h"
#include "sinew/skeleton/wrap_cylinder.h"

namespace sinew::skeleton {
namespace {

// The squared distance of the ring's point at an angle from a line is a trigonometric polynomial:
// (constant +) c1 cos + s1 sin + c2 cos 2 + s2 sin 2. (22)
struct RingDistance {
  double c1, s1, c2, s2;
  double value(double c, double s) const {
    return c1 * c + s1 * s + c2 * (c * c - s * s) + 2 * s2 * c * s;
  }
};

RingDistance make_ring_distance(const Stretch& stretch, double ring) {
  const Vec3d along = direction_of(stretch.to - stretch.from), p = stretch.from;
  const double drop = dot(p, along), square = ring * ring / 2;
  return {2 * ring * (drop * along.x - p.x), 2 * ring * (drop * along.y - p.y),
          -square * (along.x * along.x - along.y * along.y), -2 * square * along.x * along.y};
}

// The ring's angle nearest to the line, on the quadrant's side where there is one.
double nearest_angle(const WrapObject& object, const Stretch& stretch) {
  constexpr int kPlaces = 16;
  const RingDistance distance = make_ring_distance(stretch, object.size.x);
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kPlaces; ++i) {
    const double angle = 2 * std::numbers::pi * i / kPlaces;
    const double c = std::cos(angle), s = std::sin(angle), value = distance.value(c, s);
    const bool allowed =
        object.quadrant == 0 || quadrant_axis(object) == 2 || on_active_side(object, {c, s, 0});
    if (allowed && value < least) best = angle, least = value;
  }
  for (int step = 0; step < 8; ++step) {
    const double c = std::cos(best), s = std::sin(best);
    const double cc = c * c - s * s, ss = 2 * c * s;
    const double slope =
        -distance.c1 * s + distance.s1 * c - 2 * distance.c2 * ss + 2 * distance.s2 * cc;
    const double bow =
        -distance.c1 * c - distance.s1 * s - 4 * (distance.c2 * cc + distance.s2 * ss);
    if (!(bow > 0)) break;
    const double change = std::clamp(-slope / bow, -0.3, 0.3);
    best += change;
    if (std::abs(change) < 1e-12) break;
  }
  return best;
}

// A cylinder along the ring at one of its points, x towards the torus' centre.
struct Tube {
  WrapObject cylinder;
  Frame frame;  // in the torus
};

Tube make_tube(const WrapObject& object, double angle) {
  const Vec3d out{std::cos(angle), std::sin(angle), 0};
  Tube tube;
  tube.cylinder.size = {object.size.y, object.size.y, 1e9};
  tube.cylinder.quadrant = 1;
  tube.frame.rotation = {{-out, {0, 0, 1}, cross(-out, {0, 0, 1})}};
  tube.frame.translation = out * object.size.x;
  return tube;
}

WrapStatus wrap_tube(const Tube& tube, const Stretch& stretch, bool refine, WrapArc& arc) {
  const Stretch local{apply_inverse(tube.frame, stretch.from),
                      apply_inverse(tube.frame, stretch.to)};
  const WrapStatus status = wrap_cylinder_opensim(tube.cylinder, local, refine, arc);
  if (status == WrapStatus::kStraight || status == WrapStatus::kInside) return status;
  arc.first = apply(tube.frame, arc.first);
  arc.last = apply(tube.frame, arc.last);
  arc.center = apply(tube.frame, arc.center);
  arc.axis = tube.frame.rotation * arc.axis;
  arc.drift = tube.frame.rotation * arc.drift;
  arc.geodesic = false;
  return WrapStatus::kWrapped;
}

bool is_inside(const WrapObject& object, const Vec3d& p) {
  const double x = std::hypot(p.x, p.y) - object.size.x, tube = object.size.y;
  return x * x + p.z * p.z < tube * tube * (1 - kWrapSkin);
}

// Ends on the surface, or a rounding error inside, start just above it.
Vec3d lifted(const Ring& ring, const Vec3d& p) {
  constexpr double kLift = 1 + 1e-8;
  const double r = std::hypot(p.x, p.y), depth = r - ring.ring, gap = std::hypot(depth, p.z);
  if (gap > kLift * ring.tube || !(r > 0)) return p;
  const double grow = kLift * ring.tube / gap, out = (ring.ring + grow * depth) / r;
  return {p.x * out, p.y * out, p.z * grow};
}

// Whether the straight line neither enters the tube nor passes the ring's plane outside of it.
bool runs_free(const Ring& ring, const Stretch& stretch) {
  const auto& [a, b] = stretch;
  if (a.z * b.z < 0) {
    const Vec3d x = a + (b - a) * (a.z / (a.z - b.z));
    if (std::hypot(x.x, x.y) > ring.ring) return false;
  }
  return passes_clear(ring, a, b);
}

// A quadrant leaves half of the ring.
bool on_held_side(const WrapObject& object, const Vec3d& x) {
  return object.quadrant == 0 || quadrant_axis(object) == 2 || on_active_side(object, x);
}

}  // namespace

WrapStatus wrap_torus_opensim(const WrapObject& object, const Stretch& stretch, bool refine,
                              WrapArc& arc) {
  if (!(object.size.x > 0 && object.size.y > 0)) return WrapStatus::kStraight;
  return wrap_tube(make_tube(object, nearest_angle(object, stretch)), stretch, refine, arc);
}

WrapStatus wrap_torus_geodesic(const WrapObject& object, const Stretch& stretch, WrapArc& arc) {
  const Ring ring{object.size.x, object.size.y};
  if (!(ring.tube > 0 && ring.tube < ring.ring)) return WrapStatus::kStraight;  // has no hole
  if (is_inside(object, stretch.from) || is_inside(object, stretch.to)) return WrapStatus::kInside;
  const Stretch outside{lifted(ring, stretch.from), lifted(ring, stretch.to)};
  if (runs_free(ring, outside)) return WrapStatus::kStraight;
  const auto& [p1, p2] = outside;
  const double r1 = std::hypot(p1.x, p1.y), r2 = std::hypot(p2.x, p2.y);
  // Upwards or downwards around the tube; to the left or to the right around the axis.
  const double up =
      std::atan2(p1.z, ring.ring - r1) < std::atan2(p2.z, ring.ring - r2) ? -1.0 : 1.0;
  const double left = p1.x * p2.y - p1.y * p2.x < 0 ? -1.0 : 1.0;
  const double turn = std::abs(std::atan2(p1.x * p2.y - p1.y * p2.x, p1.x * p2.x + p1.y * p2.y));
  RingPath path;
  if (!find_ring_path(ring, {r1, up * p1.z}, {r2, -up * p2.z}, turn, path)) {
    return WrapStatus::kStraight;
  }
  const auto place = [&](const Vec3d& end, double azimuth, double angle, double side) {
    const double around = std::atan2(end.y, end.x) + azimuth;
    const double r = ring.ring - ring.tube * std::cos(angle);
    return Vec3d{r * std::cos(around), r * std::sin(around), side * ring.tube * std::sin(angle)};
  };
  arc.first = place(p1, left * path.first_azimuth, path.first_angle, up);
  arc.last = place(p2, -left * path.second_azimuth, path.second_angle, -up);
  if (!(on_held_side(object, arc.first) || on_held_side(object, arc.last))) {
    return WrapStatus::kStraight;
  }
  arc.length = path.length, arc.lift = path.lift, arc.flight = path.flight;
  arc.axis = direction_of(arc.first - p1);
  arc.geodesic = true;
  return WrapStatus::kWrapped;
}

}  // namespace sinew::skeleton
