// OpenSim's rules for cylinders, step by step as docs/theory/skeleton.md, "OpenSim's rules", tells
// them: the sides by the two tangents of each end, then a slide along the axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/engine/rigid_motion.h"
#include "sinew/skeleton/wrap_cylinder.h"

namespace sinew::skeleton {
namespace {

constexpr Vec3d kAxis{0, 0, 1};

Vec3d radial(const Vec3d& p) {
  return {p.x, p.y, 0};
}
// The angle between two directions about the axis, 0..pi.
double angle_about_axis(const Vec3d& a, const Vec3d& b) {
  return std::atan2(std::abs(a.x * b.y - a.y * b.x), a.x * b.x + a.y * b.y);
}

// Where the line of the two ends is nearest to the axis.
struct Approach {
  Vec3d nearest{};
  bool hits = false;
};

Approach approach_axis(const Stretch& stretch, double radius) {
  const Vec3d along = radial(stretch.to - stretch.from);
  const double square = dot(along, along);
  const double t = square > 0 ? -dot(radial(stretch.from), along) / square : 0;
  Approach out;
  out.nearest = stretch.from + (stretch.to - stretch.from) * t;
  out.hits = norm(radial(out.nearest)) < radius && t > 0 && t < 1;
  return out;
}

// The two tangent points of an end in its own cross-section; [0] is turned to the left.
std::array<Vec3d, 2> tangents(const Vec3d& p, double radius) {
  const Vec3d r = radial(p);
  const double square = dot(r, r);
  if (!(square > 0)) return {p, p};
  const double part = radius * std::sqrt(std::max(0.0, square - radius * radius)) / square;
  const Vec3d foot = r * (radius * radius / square) + Vec3d{0, 0, p.z};
  return {foot + cross(kAxis, r) * part, foot - cross(kAxis, r) * part};
}

struct Touch {
  Vec3d first{}, last{};
  bool far = false;  // around the back, as seen from the straight line
};

Touch nearest_touch(const std::array<Vec3d, 2>& r1, const std::array<Vec3d, 2>& r2) {
  Touch best{r1[0], r2[0], false};
  double largest = -std::numeric_limits<double>::infinity();
  for (const Vec3d& a : r1) {
    for (const Vec3d& b : r2) {
      const double product = dot(radial(a), radial(b));
      if (product > largest) best = {a, b, false}, largest = product;
    }
  }
  return best;
}

// Which pair of tangents runs over the quadrant's side.
Touch sided_touch(const WrapObject& object, const std::array<Vec3d, 2>& r1,
                  const std::array<Vec3d, 2>& r2) {
  const auto active = [&](const Vec3d& x) { return on_active_side(object, x); };
  const bool wider = angle_about_axis(r1[0], r2[1]) > angle_about_axis(r1[1], r2[0]);
  const Touch ab{r1[0], r2[1], wider}, ba{r1[1], r2[0], !wider};
  if (active(r1[0]) != active(r1[1])) return active(r1[0]) ? ab : ba;
  if (active(r2[0])) return ba;
  if (active(r1[0]) || active(r2[1])) return ab;
  Touch widest = wider ? ab : ba;
  widest.far = true;
  return widest;
}

// The plane of both ends and the point of the surface nearest to where the line passes the axis
// (farthest, around the back) says where on the axis the touching points are.
void slide_along_axis(const Stretch& stretch, double radius, Touch& touch) {
  const Vec3d &p1 = stretch.from, &p2 = stretch.to;
  const double d1 = norm(radial(p1)), d2 = norm(radial(p2));
  if (!(d1 + d2 > 0)) return;
  const Vec3d middle = p1 + (p2 - p1) * (d1 / (d1 + d2));
  const Vec3d center{0, 0, middle.z};
  const Vec3d side = direction_of(cross(kAxis, cross(p1 - center, p2 - center))) * radius;
  const bool plus_is_near = norm(center + side - middle) < norm(center - side - middle);
  const Vec3d apex = center + side * (plus_is_near != touch.far ? 1.0 : -1.0);
  const Vec3d normal = cross(p2 - p1, apex - p1);
  if (!(std::abs(normal.z) > 1e-12 * norm(normal))) return;
  const auto move = [&](Vec3d& r, const Vec3d& other) {
    const double z = p1.z - (normal.x * (r.x - p1.x) + normal.y * (r.y - p1.y)) / normal.z;
    if (std::abs(z - other.z) < std::abs(p1.z - p2.z)) r.z = z;
  };
  move(touch.first, p2);
  move(touch.last, p1);
}

// Length and turn of the helix between the touching points.
void measure(const Stretch& stretch, double radius, const Touch& touch, WrapArc& arc) {
  const Vec3d r1 = radial(touch.first), r2 = radial(touch.last);
  const double short_turn = angle_about_axis(r1, r2);
  const Vec3d away = r1 - radial(stretch.from) + r2 - radial(stretch.to);
  const bool long_way = dot(away, r1 + r2) < 0;
  const double left = r1.x * r2.y - r1.y * r2.x >= 0 ? 1 : -1;
  arc.turn = long_way ? -left * (2 * std::numbers::pi - short_turn) : left * short_turn;
  arc.first = touch.first;
  arc.last = touch.last;
  arc.length = std::hypot(radius * arc.turn, touch.last.z - touch.first.z);
  arc.center = {0, 0, touch.first.z};
  arc.axis = kAxis;
  arc.drift = {0, 0, touch.last.z - touch.first.z};
}

// One step of OpenSim's search for a helix without kinks: moves `r` along its generator towards
// the line from the end `p` to a point `next` on the helix. False where the kink is small enough.
bool straighten(const Vec3d& p, const Vec3d& next, Vec3d& r) {
  constexpr double kLargestKink = 0.1 * std::numbers::pi / 180;
  const Vec3d in = direction_of(r - p), out = direction_of(next - r);
  const double kink =
      std::acos(std::clamp(in.z, -1.0, 1.0)) - std::acos(std::clamp(out.z, -1.0, 1.0));
  if (!(std::abs(kink) > kLargestKink)) return false;
  const Vec3d line = radial(next - p);
  const double square = dot(line, line);
  if (!(square > 0)) return false;
  const double t = dot(radial(r - p), line) / square;
  r.z += 1.5 * (p.z + t * (next.z - p.z) - r.z);
  return true;
}

void straighten_helix(const Stretch& stretch, double radius, Touch& touch, WrapArc& arc) {
  for (int step = 0; step < 100; ++step) {
    const int pieces = static_cast<int>(std::min(arc.length / 0.002, 1e6));
    if (pieces < 2) return;
    const double turn = arc.turn / pieces;
    const Vec3d drift = arc.drift / pieces;
    const Vec3d after = engine::make_rotation(kAxis, turn) * touch.first + drift;
    const Vec3d before = engine::make_rotation(kAxis, -turn) * touch.last - drift;
    const bool first = straighten(stretch.from, after, touch.first);
    const bool last = straighten(stretch.to, before, touch.last);
    if (!first && !last) return;
    measure(stretch, radius, touch, arc);
  }
}

}  // namespace

WrapStatus wrap_cylinder_opensim(const WrapObject& object, const Stretch& stretch, bool refine,
                                 WrapArc& arc) {
  const auto& [p1, p2] = stretch;
  const double radius = object.size.x;
  const Vec3d s1 = radial(p1), s2 = radial(p2);
  if (dot(s1, s1) < radius * radius || dot(s2, s2) < radius * radius) return WrapStatus::kInside;
  const Approach approach = approach_axis(stretch, radius);
  const bool sided = object.quadrant != 0;
  const bool first_active = on_active_side(object, p1), last_active = on_active_side(object, p2);
  WrapStatus status = WrapStatus::kWrapped;
  if (approach.hits && (first_active || last_active)) {
    status = WrapStatus::kMandatory;
  } else if (!sided) {
    return WrapStatus::kStraight;
  } else if (first_active || last_active) {
    if (first_active == last_active || on_active_side(object, approach.nearest)) {
      return WrapStatus::kStraight;
    }
  }
  const auto r1 = tangents(p1, radius), r2 = tangents(p2, radius);
  Touch touch = sided ? sided_touch(object, r1, r2) : nearest_touch(r1, r2);
  slide_along_axis(stretch, radius, touch);
  if (std::min(std::abs(touch.first.z), std::abs(touch.last.z)) > object.size.z / 2) {
    return WrapStatus::kStraight;
  }
  measure(stretch, radius, touch, arc);
  if (refine) straighten_helix(stretch, radius, touch, arc);
  return status;
}

}  // namespace sinew::skeleton
