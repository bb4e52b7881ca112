// Plane cross-sections of a closed surface, and the ellipse and outline of one seen from its
// centre. For fitting B-spline solids.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/surface.h"

namespace sinew::anatomy {

// Axes of a cross-section: e1, e2 in its plane, e3 along the muscle. Unit, right-handed.
struct SectionFrame {
  Vec3d center;  // m
  Vec3d e1, e2, e3;
};

using Vec2 = std::array<double, 2>;

struct Section {
  std::vector<Vec2> loop;  // outline in the frame, m
  double area;             // m^2
  Vec2 centroid;           // m
  // Second moments of the area about the centroid over the area, m^2: xx, xy, yy.
  std::array<double, 3> moments;
};

// Of the loops where the plane e1, e2 through the centre cuts the surface, the one whose centroid
// is nearest to the centre; loops under a fifth of the largest do not count. Nothing where the
// plane misses the surface. Precondition: the surface is closed.
std::optional<Section> cut_section(const mesh::Surface& surface, const SectionFrame& frame);

// Distance from `from` to the farthest crossing of the outline by the ray at each angle
// 2 pi k / count, after `transform` (2 x 2, by rows) of outline and centre; zero where a ray meets
// nothing.
std::vector<double> radial_outline(const Section& section, const Vec2& from,
                                   const std::array<double, 4>& transform, std::size_t count);

}  // namespace sinew::anatomy
