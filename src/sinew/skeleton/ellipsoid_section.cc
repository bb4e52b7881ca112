#include "sinew/skeleton/ellipsoid_section.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/skeleton/planar_wrap.h"

namespace sinew::skeleton {
namespace {

// Length of an ellipse's arc, the image of a circle's: the integral of |c - s|, Gauss-Legendre with
// eight points on each half. x, y: images of the circle's axes, m; angles rad.
double ellipse_arc(const Vec3d& x, const Vec3d& y, double first, double turn) {
  constexpr std::array<double, 4> kPlaces = {0.1834346424956498, 0.5255324099163290,
                                             0.7966664774136267, 0.9602898564975363};
  constexpr std::array<double, 4> kWeights = {0.3626837833783620, 0.3137066458778873,
                                              0.2223810344533745, 0.1012285362903763};
  const double xx = dot(x, x), xy = dot(x, y), yy = dot(y, y);
  const auto speed = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return std::sqrt(std::max(0.0, xx * s * s - 2 * xy * s * c + yy * c * c));
  };
  double sum = 0;
  for (const double middle : {first + turn / 4, first + turn * 3 / 4}) {
    for (std::size_t k = 0; k < kPlaces.size(); ++k) {
      const double offset = kPlaces[k] * turn / 4;
      sum += kWeights[k] * (speed(middle - offset) + speed(middle + offset));
    }
  }
  return sum * std::abs(turn) / 4;
}

}  // namespace

ScaledLine make_scaled_line(const Stretch& stretch, const Vec3d& semi_axes) {
  ScaledLine line{divide(stretch.from, semi_axes), divide(stretch.to, semi_axes), {}, {}, false};
  line.direction = direction_of(line.to - line.from);
  const double before = dot(line.from, line.direction), after = dot(line.to, line.direction);
  line.foot = line.from - line.direction * before;
  const double depth = 1 - dot(line.foot, line.foot);
  if (!(depth > 0)) return line;
  const double half = std::sqrt(depth);
  line.hits = before < -half && after > half;
  return line;
}

double wrap_section(const ScaledLine& line, const Vec3d& side, const Vec3d& semi_axes,
                    WrapArc& arc) {
  const Vec3d axis = cross(side, line.direction);
  const double offset = dot(axis, line.foot);
  const double radius = std::sqrt(std::max(0.0, 1 - offset * offset));
  const double x = dot(line.foot, side);
  const PlanarWrap wrap = wrap_planar({x, dot(line.from, line.direction)},
                                      {x, dot(line.to, line.direction)}, radius, true);
  const Vec3d center = axis * offset;
  const auto place = [&](double angle) {
    return center + side * (radius * std::cos(angle)) + line.direction * (radius * std::sin(angle));
  };
  const double last_angle = wrap.first_angle + wrap.turn;
  arc.first = multiply(place(wrap.first_angle), semi_axes);
  arc.last = multiply(place(last_angle), semi_axes);
  arc.center = center;
  arc.axis = axis;
  arc.turn = wrap.turn;
  arc.scale = semi_axes;
  arc.geodesic = false;
  arc.length =
      ellipse_arc(multiply(side, semi_axes) * radius, multiply(line.direction, semi_axes) * radius,
                  wrap.first_angle, wrap.turn);
  return norm(arc.first - multiply(line.from, semi_axes)) + arc.length +
         norm(arc.last - multiply(line.to, semi_axes));
}

Vec3d closest_on_ellipsoid(const Vec3d& p, const Vec3d& semi_axes) {
  double multiplier = -std::numeric_limits<double>::infinity();
  return closest_on_ellipsoid(p, semi_axes, multiplier);
}

// With the multiplier t, x_i = a_i^2 p_i / (t + a_i^2) solves sum (x_i / a_i)^2 = 1. The sum is
// convex and falls with t: Newton's method is monotone from the left of the root, and one step from
// its right leads there.
Vec3d closest_on_ellipsoid(const Vec3d& p, const Vec3d& semi_axes, double& multiplier) {
  Vec3d point = p;
  double least = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = semi_axes[i];
    // A point in a plane of symmetry takes the positive side.
    if (std::abs(p[i]) < 1e-9 * a) point[i] = sign_of(p[i]) * 1e-9 * a;
    least = std::max(least, a * (std::abs(point[i]) - a));
  }
  const Vec3d squares = multiply(semi_axes, semi_axes);
  double t = std::max(multiplier, least);
  for (int step = 0; step < 60; ++step) {
    double sum = -1, slope = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double part = 1 / (t + squares[i]);
      const double term = squares[i] * point[i] * point[i] * part * part;
      sum += term;
      slope += term * part;
    }
    const double next = std::max(least, t + sum / (2 * slope));
    const bool close = std::abs(next - t) <= 1e-10 * (std::abs(t) + squares.x);
    t = next;
    if (close) break;
  }
  multiplier = t;
  for (std::size_t i = 0; i < 3; ++i) point[i] *= squares[i] / (t + squares[i]);
  return point;
}

}  // namespace sinew::skeleton
