#include "sinew/skeleton/wrap_cylinder.h"

#include <algorithm>

#include "sinew/skeleton/planar_wrap.h"

namespace sinew::skeleton {
namespace {

// The cross-section's coordinates, x towards the side that a quadrant names. A quadrant along the
// axis itself says nothing about sides.
struct Section {
  Vec3d x{1, 0, 0}, y{0, 1, 0};
  bool sided = false;
};

Section section_of(const WrapObject& object) {
  Section section;
  if (object.quadrant == 0 || quadrant_axis(object) == 2) return section;
  section.sided = true;
  const double sign = sign_of(static_cast<double>(object.quadrant));
  section.x = quadrant_axis(object) == 0 ? Vec3d{sign, 0, 0} : Vec3d{0, sign, 0};
  section.y = cross(Vec3d{0, 0, 1}, section.x);
  return section;
}

}  // namespace

WrapStatus wrap_cylinder_geodesic(const WrapObject& object, const Stretch& stretch, WrapArc& arc) {
  const auto& [p1, p2] = stretch;
  const double radius = object.size.x, square = radius * radius * (1 - kWrapSkin);
  if (p1.x * p1.x + p1.y * p1.y < square || p2.x * p2.x + p2.y * p2.y < square) {
    return WrapStatus::kInside;
  }
  const Section section = section_of(object);
  const PlanarWrap wrap =
      wrap_planar({dot(p1, section.x), dot(p1, section.y)},
                  {dot(p2, section.x), dot(p2, section.y)}, radius, section.sided);
  if (wrap.turn == 0) return WrapStatus::kStraight;
  // Unrolled, the path is straight: z grows evenly. (13)
  const double around = radius * std::abs(wrap.turn);
  const double unrolled = wrap.first_reach + around + wrap.last_reach;
  const double slope = (p2.z - p1.z) / std::max(unrolled, 1e-300);
  const auto place = [&](double angle, double z) {
    return section.x * (radius * std::cos(angle)) + section.y * (radius * std::sin(angle)) +
           Vec3d{0, 0, z};
  };
  arc.first = place(wrap.first_angle, p1.z + slope * wrap.first_reach);
  arc.last = place(wrap.first_angle + wrap.turn, p2.z - slope * wrap.last_reach);
  if (std::min(std::abs(arc.first.z), std::abs(arc.last.z)) > object.size.z / 2) {
    return WrapStatus::kStraight;
  }
  arc.length = around * std::hypot(1.0, slope);
  arc.turn = wrap.turn;
  arc.center = {0, 0, arc.first.z};
  arc.axis = {0, 0, 1};
  arc.drift = {0, 0, arc.last.z - arc.first.z};
  return wrap.crosses ? WrapStatus::kMandatory : WrapStatus::kWrapped;
}

}  // namespace sinew::skeleton
