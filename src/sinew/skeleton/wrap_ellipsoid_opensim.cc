// OpenSim's rules for ellipsoids, as docs/theory/skeleton.md, "OpenSim's rules", tells them: a
// point of the surface is chosen that the plane of the path contains.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/skeleton/ellipsoid_section.h"
#include "sinew/skeleton/wrap_ellipsoid.h"

namespace sinew::skeleton {
namespace {

// Below the first share of the line along one axis the fan decides alone, above the second the
// axis.
constexpr double kFanShare = 0.7073, kAxisShare = 0.9;
// Lengths such that the semi-axes sum to 3, as OpenSim scales them.
struct Problem {
  Vec3d semi_axes;
  Vec3d enter, leave;  // where the straight line crosses the surface
  Vec3d direction;     // unit, of the line
};

// The mean direction from the line's inner part to the surface.
Vec3d fan_point(const Problem& problem, int samples) {
  const Vec3d step = (problem.leave - problem.enter) / (samples + 2.0);
  Vec3d sum{0, 0, 0};
  double multiplier = -std::numeric_limits<double>::infinity();
  for (int i = 1; i <= samples; ++i) {
    const Vec3d q = problem.enter + step * i;
    sum += direction_of(closest_on_ellipsoid(q, problem.semi_axes, multiplier) - q);
  }
  const Vec3d middle = (problem.enter + problem.leave) * 0.5;
  return closest_on_ellipsoid(middle + direction_of(sum), problem.semi_axes);
}

// Where the line passes the plane of symmetry that it crosses most steeply.
struct AxisPoint {
  Vec3d point;   // nearest on the ellipse in that plane
  double share;  // how much the line runs along the axis, 0..1
  double place;  // along the inner part of the line, 0..1 within
};

// The point of the ellipsoid's section at coordinate `axis` = 0 that is nearest to `p` in it: a
// very flat ellipsoid would do as well, and this needs no second formula.
Vec3d closest_on_section(Vec3d p, const Vec3d& semi_axes, std::size_t axis) {
  const double largest = std::max({semi_axes.x, semi_axes.y, semi_axes.z});
  Vec3d long_axis = semi_axes;
  long_axis[axis] = 1e6 * largest;  // a cylinder, in effect
  p[axis] = 0;
  Vec3d closest = closest_on_ellipsoid(p, long_axis);
  closest[axis] = 0;
  return closest;
}

AxisPoint axis_point(const Problem& problem) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(problem.direction[i]) > std::abs(problem.direction[best])) best = i;
  }
  const Vec3d chord = problem.leave - problem.enter;
  AxisPoint out{};
  out.share = std::abs(problem.direction[best]);
  out.place = chord[best] != 0 ? -problem.enter[best] / chord[best] : 0.5;
  out.point = closest_on_section(problem.enter + chord * out.place, problem.semi_axes, best);
  return out;
}

// The axis counts less where its plane is crossed near the surface or outside.
double faded_share(const AxisPoint& axis) {
  if (axis.share <= kFanShare) return axis.share;
  const double inner = std::min(axis.place, 1 - axis.place) / 0.3;
  return kFanShare + std::clamp(inner, 0.0, 1.0) * (axis.share - kFanShare);
}

struct Choice {
  Vec3d point;
  double fan;  // weight of the fan in it, 0..1
};

Choice choose(const Problem& problem, PathWrap::Method method, int samples) {
  const AxisPoint axis = axis_point(problem);
  const double share = faded_share(axis);
  const double lean = std::clamp((share - kFanShare) / (kAxisShare - kFanShare), 0.0, 1.0);
  if (method == PathWrap::Method::kMidpoint) {
    const Vec3d middle = (problem.enter + problem.leave) * 0.5;
    return {closest_on_ellipsoid(middle, problem.semi_axes), 1 - lean};
  }
  if (method == PathWrap::Method::kAxial || lean >= 1) return {axis.point, 1 - lean};
  const Vec3d fan = fan_point(problem, samples);
  if (lean <= 0) return {fan, 1};
  return {closest_on_ellipsoid(axis.point * lean + fan * (1 - lean), problem.semi_axes), 1 - lean};
}

// Moves a point of the wrong side over to the quadrant's.
void obey_quadrant(const WrapObject& object, const Vec3d& semi_axes, Choice& choice) {
  if (on_active_side(object, choice.point)) return;
  const std::size_t k = quadrant_axis(object);
  choice.point[k] *= -1;
  if (!(choice.fan > 0)) return;
  choice.point[k] *= 1 - choice.fan;
  choice.point = closest_on_ellipsoid(choice.point, semi_axes);
}

}  // namespace

Vec3d choose_side_opensim(const WrapObject& object, const ScaledLine& line, PathWrap::Method method,
                          int samples) {
  const Vec3d& axes = object.size;
  const double unit = 3 / (axes.x + axes.y + axes.z);
  const double half = std::sqrt(1 - dot(line.foot, line.foot));
  const Problem problem{axes * unit, multiply(line.foot - line.direction * half, axes) * unit,
                        multiply(line.foot + line.direction * half, axes) * unit,
                        direction_of(multiply(line.direction, axes))};
  Choice choice = choose(problem, method, samples);
  obey_quadrant(object, problem.semi_axes, choice);
  const Vec3d towards = divide(choice.point, problem.semi_axes) - line.foot;
  const Vec3d side = direction_of(towards - line.direction * dot(towards, line.direction));
  return dot(side, side) > 0 ? side : any_perpendicular(line.direction);
}

WrapStatus wrap_ellipsoid_opensim(const WrapObject& object, const Stretch& stretch,
                                  PathWrap::Method method, WrapArc& arc) {
  const Vec3d& axes = object.size;
  if (!(std::min({axes.x, axes.y, axes.z}) > 0)) return WrapStatus::kStraight;
  const ScaledLine line = make_scaled_line(stretch, axes);
  if (std::min(dot(line.from, line.from), dot(line.to, line.to)) < 1 - kWrapSkin) {
    return WrapStatus::kInside;
  }
  const double cosine = dot(direction_of(stretch.from), direction_of(stretch.to));
  if (!line.hits || cosine > 1 - kWrapSkin) return WrapStatus::kStraight;
  constexpr int kSamples = 298;  // OpenSim's
  const Vec3d side = choose_side_opensim(object, line, method, kSamples);
  wrap_section(line, side, axes, arc);
  // Only a quadrant sends a path around more than half of a cut.
  if (object.quadrant == 0 && arc.turn > std::numbers::pi) wrap_section(line, -side, axes, arc);
  return WrapStatus::kMandatory;
}

}  // namespace sinew::skeleton
