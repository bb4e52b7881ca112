#include "sinew/skeleton/wrap_sphere.h"

#include <algorithm>

#include "sinew/skeleton/planar_wrap.h"

namespace sinew::skeleton {
namespace {

// x of the great circle's plane: towards the quadrant's side where there is one, else towards the
// first end.
Vec3d plane_x(const WrapObject& object, const Vec3d& p1, const Vec3d& normal, bool& sided) {
  sided = false;
  if (object.quadrant != 0) {
    Vec3d side{0, 0, 0};
    side[quadrant_axis(object)] = sign_of(static_cast<double>(object.quadrant));
    const Vec3d in_plane = side - normal * dot(side, normal);
    // A plane that is nearly square to the quadrant's axis has no side of it.
    sided = norm(in_plane) > 1e-6;
    if (sided) return normalized(in_plane);
  }
  return normalized(p1);
}

}  // namespace

WrapStatus wrap_sphere(const WrapObject& object, const Stretch& stretch, WrapArc& arc) {
  const auto& [p1, p2] = stretch;
  const double radius = object.size.x;
  const double closest = std::min(dot(p1, p1), dot(p2, p2));
  if (closest < radius * radius * (1 - kWrapSkin)) return WrapStatus::kInside;
  if (!(closest > 0)) return WrapStatus::kStraight;
  Vec3d normal = cross(p1, p2);
  // Ends and centre in one line: any plane is as good as another.
  normal = norm(normal) > 1e-14 * norm(p1) * norm(p2) ? normalized(normal)
                                                      : any_perpendicular(normalized(p1));
  bool sided = false;
  const Vec3d x = plane_x(object, p1, normal, sided), y = cross(normal, x);
  const PlanarWrap wrap =
      wrap_planar({dot(p1, x), dot(p1, y)}, {dot(p2, x), dot(p2, y)}, radius, sided);
  if (!wrap.crosses) return WrapStatus::kStraight;
  const auto place = [&](double angle) {
    return x * (radius * std::cos(angle)) + y * (radius * std::sin(angle));
  };
  arc.first = place(wrap.first_angle);
  arc.last = place(wrap.first_angle + wrap.turn);
  arc.length = radius * std::abs(wrap.turn);
  arc.turn = wrap.turn;
  arc.axis = normal;
  return WrapStatus::kWrapped;
}

}  // namespace sinew::skeleton
