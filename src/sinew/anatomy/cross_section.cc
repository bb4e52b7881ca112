#include "sinew/anatomy/cross_section.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>
#include <utility>

namespace sinew::anatomy {
namespace {

constexpr double kLeastLoop = 0.2;  // of the largest area

std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{std::min(a, b)} << 32U | std::max(a, b);
}

// Where the plane crosses an edge, and the crossed edges of the two triangles beside it.
struct Crossing {
  Vec2 at{};
  std::array<std::uint64_t, 2> next{};
  std::size_t links = 0;
  bool done = false;
};

using Crossings = std::unordered_map<std::uint64_t, Crossing>;

Vec2 to_plane(const SectionFrame& frame, const Vec3d& x) {
  const Vec3d d = x - frame.center;
  return {dot(d, frame.e1), dot(d, frame.e2)};
}

Crossings find_crossings(const mesh::Surface& surface, const SectionFrame& frame,
                         std::vector<std::uint64_t>& order) {
  std::vector<double> height;
  height.reserve(surface.positions.size());
  for (const Vec3d& x : surface.positions) height.push_back(dot(x - frame.center, frame.e3));
  Crossings crossings;
  const auto cross = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t key = edge_key(a, b);
    const auto [found, is_new] = crossings.try_emplace(key);
    if (is_new) {
      const double s = height[a] / (height[a] - height[b]);
      const Vec3d x = surface.positions[a] + (surface.positions[b] - surface.positions[a]) * s;
      found->second.at = to_plane(frame, x);
      order.push_back(key);
    }
    return key;
  };
  for (const auto& t : surface.triangles) {
    std::array<std::uint64_t, 2> keys{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      if ((height[a] < 0) != (height[b] < 0) && count < 2) keys[count++] = cross(a, b);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Crossing& crossing = crossings[keys[i]];
      if (crossing.links < 2) crossing.next[crossing.links++] = keys[1 - i];
    }
  }
  return crossings;
}

std::vector<Vec2> follow(Crossings& crossings, std::uint64_t start) {
  std::vector<Vec2> loop;
  for (std::uint64_t at = start;;) {
    Crossing& crossing = crossings[at];
    crossing.done = true;
    loop.push_back(crossing.at);
    const bool first_done = crossings[crossing.next[0]].done;
    const std::uint64_t next = crossing.next[first_done ? 1 : 0];
    if (crossings[next].done) return loop;
    at = next;
  }
}

Section measure(std::vector<Vec2> loop) {
  double area = 0;
  Vec2 first{};
  std::array<double, 3> second{};
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const auto [ax, ay] = loop[i];
    const auto [bx, by] = loop[(i + 1) % loop.size()];
    const double c = ax * by - bx * ay;
    area += c / 2;
    first[0] += c * (ax + bx) / 6;
    first[1] += c * (ay + by) / 6;
    second[0] += c * (ax * ax + ax * bx + bx * bx) / 12;
    second[1] += c * (2 * ax * ay + ax * by + bx * ay + 2 * bx * by) / 24;
    second[2] += c * (ay * ay + ay * by + by * by) / 12;
  }
  Section section{std::move(loop), std::abs(area), {}, {}};
  if (area == 0) return section;
  const Vec2 m = {first[0] / area, first[1] / area};
  section.centroid = m;
  section.moments = {second[0] / area - m[0] * m[0], second[1] / area - m[0] * m[1],
                     second[2] / area - m[1] * m[1]};
  return section;
}

double crossing_radius(const Vec2& a, const Vec2& b, double dx, double dy) {
  // Signed distances of the ends from the ray's line; the ray is crossed in between.
  const double side_a = dx * a[1] - dy * a[0];
  const double side_b = dx * b[1] - dy * b[0];
  if ((side_a < 0) == (side_b < 0)) return 0;
  const double s = side_a / (side_a - side_b);
  return dx * (a[0] + s * (b[0] - a[0])) + dy * (a[1] + s * (b[1] - a[1]));
}

}  // namespace

std::optional<Section> cut_section(const mesh::Surface& surface, const SectionFrame& frame) {
  std::vector<std::uint64_t> order;  // for the same answer whatever the hash table does
  Crossings crossings = find_crossings(surface, frame, order);
  std::vector<Section> sections;
  double largest = 0;
  for (const std::uint64_t key : order) {
    if (crossings[key].done) continue;
    sections.push_back(measure(follow(crossings, key)));
    largest = std::max(largest, sections.back().area);
  }
  std::optional<Section> best;
  double least = 0;
  for (Section& section : sections) {
    const double distance = std::hypot(section.centroid[0], section.centroid[1]);
    if (section.area <= 0 || section.area < kLeastLoop * largest) continue;
    if (best && distance >= least) continue;
    least = distance;
    best = std::move(section);
  }
  return best;
}

std::vector<double> radial_outline(const Section& section, const Vec2& from,
                                   const std::array<double, 4>& transform, std::size_t count) {
  std::vector<Vec2> points;
  points.reserve(section.loop.size());
  for (const auto& [x, y] : section.loop) {
    const double dx = x - from[0];
    const double dy = y - from[1];
    points.push_back(
        {transform[0] * dx + transform[1] * dy, transform[2] * dx + transform[3] * dy});
  }
  std::vector<double> radii(count, 0.0);
  for (std::size_t k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count);
    const double dx = std::cos(angle);
    const double dy = std::sin(angle);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2& next = points[(i + 1) % points.size()];
      radii[k] = std::max(radii[k], crossing_radius(points[i], next, dx, dy));
    }
  }
  return radii;
}

}  // namespace sinew::anatomy
