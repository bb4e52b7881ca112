// Cross-sections of a surface as the mesh tool needs them: where a plane cuts it, how far that
// reaches from its centre, and how levels are spread along it. For wrap_mesh.cc.
//
// Source: docs/theory/bricks.md, section 9; chen1992 section 5.6.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::brick {

struct Point2 {
  double x, y;  // m
};

struct Contour {
  std::vector<std::array<Point2, 2>> segments;
  Point2 center{0, 0};  // of its length
  double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
  double area = 0;  // m^2, of its box
};

// Where the surface, with vertices at `local`, crosses the plane at height z.
Contour cut_surface(const mesh::Surface& surface, std::span<const Vec3d> local, double z);

// The place of (u, v) of the square [-1, 1]^2 in a contour: first in its box, then on the ray from
// the centre through that place, as far as the contour reaches there, and `margin` farther.
Point2 place_in_contour(const Contour& contour, double u, double v, double margin);

// count + 1 levels as parts of the height from low to high, 0 to 1: each brick has the same share
// of height (weighted 0.7) and of the change of the cross-section's size (0.3).
std::vector<double> find_levels(const mesh::Surface& surface, std::span<const Vec3d> local,
                                double low, double high, int count);

}  // namespace sinew::brick
