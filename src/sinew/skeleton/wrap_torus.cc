#include "sinew/skeleton/wrap_torus.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/skeleton/planar_wrap.h"
#include "sinew/skeleton/torus_surface.h"
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

WrapStatus wrap_tube(const Tube& tube, const Stretch& stretch, bool exact, bool refine,
                     WrapArc& arc) {
  const Stretch local{apply_inverse(tube.frame, stretch.from),
                      apply_inverse(tube.frame, stretch.to)};
  const WrapStatus status = exact ? wrap_cylinder_geodesic(tube.cylinder, local, arc)
                                  : wrap_cylinder_opensim(tube.cylinder, local, refine, arc);
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

}  // namespace

WrapStatus wrap_torus_opensim(const WrapObject& object, const Stretch& stretch, bool refine,
                              WrapArc& arc) {
  if (!(object.size.x > 0 && object.size.y > 0)) return WrapStatus::kStraight;
  return wrap_tube(make_tube(object, nearest_angle(object, stretch)), stretch, false, refine, arc);
}

WrapStatus wrap_torus_geodesic(const WrapObject& object, const Stretch& stretch, bool nearby,
                               WrapArc& arc) {
  if (!(object.size.x > 0 && object.size.y > 0)) return WrapStatus::kStraight;
  if (is_inside(object, stretch.from) || is_inside(object, stretch.to)) return WrapStatus::kInside;
  const WrapArc before = arc;
  const WrapStatus status =
      wrap_tube(make_tube(object, nearest_angle(object, stretch)), stretch, true, false, arc);
  if (status != WrapStatus::kWrapped) return status;
  // The cylinder's frame is left-handed to the torus' half-plane: outwards is -x there.
  const TorusSurface surface{object.size.x, object.size.y, arc.turn > 0 ? -1.0 : 1.0};
  const auto find = [&](const WrapArc& start) {
    return find_geodesic(surface, stretch, {std::atan2(start.first.y, start.first.x), start.length},
                         arc);
  };
  if (!(nearby && before.geodesic && find(before))) find(WrapArc(arc));
  return WrapStatus::kWrapped;
}

}  // namespace sinew::skeleton
