// An ellipsoid as a surface that geodesics run on: for geodesic.h.
//
// Source: docs/theory/skeleton.md, equation (19).
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/skeleton/geodesic.h"

namespace sinew::skeleton {

struct EllipsoidSurface {
  Vec3d semi_axes;         // m
  Vec3d curving;           // 1 / semi-axes squared
  double gaussian_factor;  // 1 / (a b c)^2
  double size;             // m
  int steps;
  // The contour that an outside point sees is a circle of the scaled sphere.
  Vec3d contour_center{}, contour_x{}, contour_y{};

  // `from`: the point that contours belong to, divided by the semi-axes; outside.
  EllipsoidSurface(const Vec3d& axes, const Vec3d& from) : semi_axes(axes) {
    curving = divide({1, 1, 1}, multiply(axes, axes));
    const double product = axes.x * axes.y * axes.z;
    gaussian_factor = 1 / (product * product);
    size = std::cbrt(product);
    const double longest = std::max({axes.x, axes.y, axes.z});
    const double shortest = std::min({axes.x, axes.y, axes.z});
    steps = std::min(8 + static_cast<int>(4 * (longest / shortest - 1)), 64);
    const double square = dot(from, from);
    const Vec3d axis = from / std::sqrt(square);
    const double radius = std::sqrt(std::max(0.0, 1 - 1 / square));
    contour_center = from / square;
    contour_x = any_perpendicular(axis) * radius;
    contour_y = cross(axis, contour_x);
  }

  // The place of a point of the scaled sphere that lies near the contour, rad.
  double place_of(const Vec3d& u) const { return std::atan2(dot(u, contour_y), dot(u, contour_x)); }
  Contour contour(const Vec3d&, double place) const {
    const double c = std::cos(place), s = std::sin(place);
    return {multiply(contour_center + contour_x * c + contour_y * s, semi_axes),
            multiply(contour_y * c - contour_x * s, semi_axes)};
  }

  struct Bend {
    Vec3d normal;
    Vec3d curving;  // 1 / (semi-axes squared |g|)
    double gaussian;
    double second(const Vec3d& a, const Vec3d& b) const { return -dot(multiply(a, curving), b); }
  };
  Bend bend(const Vec3d& x) const {
    const Vec3d g = multiply(x, curving);
    const double square = dot(g, g);
    const double part = 1 / std::sqrt(square);
    return {g * part, curving * part, gaussian_factor / (square * square)};
  }
};

}  // namespace sinew::skeleton
