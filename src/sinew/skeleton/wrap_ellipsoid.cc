#include "sinew/skeleton/wrap_ellipsoid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sinew/skeleton/ellipsoid_section.h"
#include "sinew/skeleton/ellipsoid_surface.h"

namespace sinew::skeleton {
namespace {

// Length of the way around in one plane, nearly: both straight parts, and the arc by two chords.
// Angles need not be known for that, which makes it cheap.
double estimate_section(const ScaledLine& line, const Vec3d& side, const Vec3d& axes) {
  const Vec3d normal = cross(side, line.direction);
  const Vec3d center = normal * dot(normal, line.foot);
  const double square = std::max(1e-12, 1 - dot(center, center)), radius = std::sqrt(square);
  const double x = dot(line.foot, side);
  const double y1 = dot(line.from, line.direction), y2 = dot(line.to, line.direction);
  const double d1 = x * x + y1 * y1, d2 = x * x + y2 * y2;
  const double k1 = radius * std::sqrt(std::max(0.0, d1 - square)) / d1;
  const double k2 = radius * std::sqrt(std::max(0.0, d2 - square)) / d2;
  const double c1 = x * square / d1 - y1 * k1, s1 = y1 * square / d1 + x * k1;
  const double c2 = x * square / d2 + y2 * k2, s2 = y2 * square / d2 - x * k2;
  // The bisector points half-way; the arc is longer than half a turn where it would point back.
  double cm = s2 - s1, sm = c1 - c2;
  const double size = std::max(std::hypot(cm, sm), 1e-300);
  cm *= radius / size, sm *= radius / size;
  const auto place = [&](double c, double s) { return center + side * c + line.direction * s; };
  const auto length = [&](const Vec3d& a, const Vec3d& b) { return norm(multiply(a - b, axes)); };
  const Vec3d u1 = place(c1, s1), u2 = place(c2, s2), apex = place(cm, sm);
  const double cosine = std::clamp((c1 * cm + s1 * sm) / square, -1.0, 1.0);
  const double half = (1 - cosine) / 2;  // squared sine of half a chord's angle
  const double bulge = 1 + half / 6 + 3 * half * half / 40;
  return length(u1, line.from) + bulge * (length(u1, apex) + length(apex, u2)) +
         length(u2, line.to);
}

// Planes through the line by their angle; angle 0 is away from the centre.
struct Fan {
  const ScaledLine& line;
  const Vec3d& axes;
  Vec3d x{}, y{};

  Fan(const ScaledLine& l, const Vec3d& a) : line(l), axes(a) {
    const double depth = norm(line.foot);
    x = depth > 1e-9 ? line.foot / depth : any_perpendicular(line.direction);
    y = cross(line.direction, x);
  }
  Vec3d side(double angle) const { return x * std::cos(angle) + y * std::sin(angle); }
  double angle_of(const Vec3d& side) const { return std::atan2(dot(side, y), dot(side, x)); }
  double length(double angle) const { return estimate_section(line, side(angle), axes); }
};

struct Valley {
  double angle = 0, length = std::numeric_limits<double>::infinity();
};

// Where the parabola through three lengths, a step apart, is lowest.
double lowest(double angle, double step, double left, double middle, double right) {
  const double bow = left - 2 * middle + right;
  return bow > 0 ? angle + std::clamp(0.5 * (left - right) / bow, -1.0, 1.0) * step : angle;
}

// The planes with the locally shortest ways, at most two, the shorter one first.
std::array<Valley, 2> find_valleys(const Fan& fan) {
  constexpr std::size_t kSides = 12;
  constexpr double kStep = 2 * std::numbers::pi / kSides;
  std::array<double, kSides> lengths{};
  for (std::size_t i = 0; i < kSides; ++i) lengths[i] = fan.length(static_cast<double>(i) * kStep);
  std::array<Valley, 2> best;
  for (std::size_t i = 0; i < kSides; ++i) {
    const double left = lengths[(i + kSides - 1) % kSides], middle = lengths[i];
    const double right = lengths[(i + 1) % kSides];
    if (!(middle < left && middle <= right)) continue;
    const Valley valley{lowest(static_cast<double>(i) * kStep, kStep, left, middle, right), middle};
    if (valley.length < best[0].length) {
      best[1] = best[0];
      best[0] = valley;
    } else if (valley.length < best[1].length) {
      best[1] = valley;
    }
  }
  return best;
}

// Downhill from one plane to the next locally shortest way.
Valley descend(const Fan& fan, double angle) {
  constexpr double kStep = 0.3;
  constexpr int kMostSteps = 12;
  double left = fan.length(angle - kStep), middle = fan.length(angle);
  double right = fan.length(angle + kStep);
  for (int n = 0; n < kMostSteps && std::min(left, right) < middle; ++n) {
    if (left < right) {
      angle -= kStep, right = middle, middle = left;
      left = fan.length(angle - kStep);
    } else {
      angle += kStep, left = middle, middle = right;
      right = fan.length(angle + kStep);
    }
  }
  return {lowest(angle, kStep, left, middle, right), middle};
}

// Searches from where `start` touches; where that stalls, since the far end is close to the surface
// or the geodesic runs far, from the other end.
bool shoot_from(const EllipsoidSurface& surface, const Vec3d& axes, const Stretch& stretch,
                const WrapArc& start, WrapArc& arc) {
  const double place = surface.place_of(divide(start.first, axes));
  if (find_geodesic(surface, stretch, {place, start.length}, arc)) return true;
  const EllipsoidSurface other(axes, divide(stretch.to, axes));
  const double other_place = other.place_of(divide(start.last, axes));
  if (!find_geodesic(other, {stretch.to, stretch.from}, {other_place, start.length}, arc)) {
    return false;
  }
  std::swap(arc.first, arc.last);
  arc.axis = direction_of(arc.first - stretch.from);
  return true;
}

// The whole path's length over the geodesic that starts as the cut of one plane; the cut itself
// where no geodesic is found.
double solve_from(const EllipsoidSurface& surface, const Stretch& stretch, const Fan& fan,
                  double angle, WrapArc& arc) {
  const double length = wrap_section(fan.line, fan.side(angle), fan.axes, arc);
  if (!shoot_from(surface, fan.axes, stretch, WrapArc(arc), arc)) return length;
  return norm(arc.first - stretch.from) + arc.length + norm(arc.last - stretch.to);
}

// Ends on the surface, or a rounding error inside, start just above it.
Vec3d lifted(const Vec3d& u) {
  constexpr double kLift = 1 + 1e-8;
  const double square = dot(u, u);
  return square < kLift ? u * std::sqrt(kLift / square) : u;
}

}  // namespace

WrapStatus wrap_ellipsoid_geodesic(const WrapObject& object, const Stretch& stretch,
                                   PathWrap::Method method, bool nearby, WrapArc& arc) {
  const Vec3d& axes = object.size;
  if (!(std::min({axes.x, axes.y, axes.z}) > 0)) return WrapStatus::kStraight;
  const Vec3d u1 = divide(stretch.from, axes), u2 = divide(stretch.to, axes);
  if (std::min(dot(u1, u1), dot(u2, u2)) < 1 - kWrapSkin) return WrapStatus::kInside;
  const Stretch outside{multiply(lifted(u1), axes), multiply(lifted(u2), axes)};
  const ScaledLine line = make_scaled_line(outside, axes);
  if (!line.hits) return WrapStatus::kStraight;
  const EllipsoidSurface surface(axes, line.from);
  if (nearby && arc.geodesic) {
    if (shoot_from(surface, axes, outside, WrapArc(arc), arc)) return WrapStatus::kMandatory;
  }
  const Fan fan(line, axes);
  std::array<Valley, 2> valleys;
  if (object.quadrant == 0) {
    valleys = find_valleys(fan);
  } else {
    constexpr int kSamples = 28;  // a side is all that is asked for
    const Vec3d side = choose_side_opensim(object, line, method, kSamples);
    valleys[0] = descend(fan, fan.angle_of(side));
  }
  const double length = solve_from(surface, outside, fan, valleys[0].angle, arc);
  // Estimates are good to about a hundredth.
  if (valleys[1].length < 1.02 * valleys[0].length) {
    WrapArc other;
    if (solve_from(surface, outside, fan, valleys[1].angle, other) < length) arc = other;
  }
  return WrapStatus::kMandatory;
}

}  // namespace sinew::skeleton
