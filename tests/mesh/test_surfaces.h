// Closed surfaces made by code, for the tests of surfaces and distances.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "sinew/mesh/surface.h"

namespace sinew::mesh {

// A box of these edge lengths about the origin.
inline Surface make_box_surface(const Vec3d& size) {
  Surface s;
  for (int i = 0; i < 8; ++i) {
    s.positions.push_back({(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                           (i & 4 ? 0.5 : -0.5) * size.z});
  }
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return s;
}

// A torus about the y axis.
inline Surface make_torus_surface(double major, double minor, std::uint32_t around,
                                  std::uint32_t tube) {
  Surface s;
  for (std::uint32_t i = 0; i < around; ++i) {
    const double u = 2 * std::numbers::pi * i / around;
    for (std::uint32_t j = 0; j < tube; ++j) {
      const double v = 2 * std::numbers::pi * j / tube;
      const double r = major + minor * std::cos(v);
      s.positions.push_back({r * std::cos(u), minor * std::sin(v), -r * std::sin(u)});
    }
  }
  for (std::uint32_t i = 0; i < around; ++i) {
    for (std::uint32_t j = 0; j < tube; ++j) {
      const std::uint32_t a = i * tube + j;
      const std::uint32_t b = (i + 1) % around * tube + j;
      const std::uint32_t c = (i + 1) % around * tube + (j + 1) % tube;
      const std::uint32_t d = i * tube + (j + 1) % tube;
      s.triangles.push_back({a, b, c});
      s.triangles.push_back({a, c, d});
    }
  }
  return s;
}

// A sphere by latitude and longitude whose radius depends on the direction.
inline Surface make_bumpy_surface(const std::function<double(double, double)>& radius,
                                  std::uint32_t rings, std::uint32_t sectors) {
  Surface s;
  const auto add = [&](double latitude, double longitude) {
    const double r = radius(latitude, longitude);
    s.positions.push_back({r * std::cos(latitude) * std::cos(longitude), r * std::sin(latitude),
                           -r * std::cos(latitude) * std::sin(longitude)});
  };
  for (std::uint32_t i = 1; i < rings; ++i) {
    for (std::uint32_t j = 0; j < sectors; ++j) {
      add((static_cast<double>(i) / rings - 0.5) * std::numbers::pi,
          2 * std::numbers::pi * j / sectors);
    }
  }
  const auto south = static_cast<std::uint32_t>(s.positions.size());
  add(-std::numbers::pi / 2, 0);
  add(std::numbers::pi / 2, 0);
  for (std::uint32_t j = 0; j < sectors; ++j) {
    const std::uint32_t k = (j + 1) % sectors;
    for (std::uint32_t i = 0; i + 2 < rings; ++i) {
      const std::uint32_t low = i * sectors;
      const std::uint32_t high = low + sectors;
      s.triangles.push_back({low + j, low + k, high + k});
      s.triangles.push_back({low + j, high + k, high + j});
    }
    const std::uint32_t top = (rings - 2) * sectors;
    s.triangles.push_back({south, k, j});
    s.triangles.push_back({south + 1, top + j, top + k});
  }
  return s;
}

}  // namespace sinew::mesh
