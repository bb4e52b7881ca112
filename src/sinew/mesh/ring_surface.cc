// Surfaces of rings of vertices, one above the other: bands between two rings and the caps at both
// ends. For the readers of scans.
#include "sinew/mesh/surface_parsers.h"

namespace sinew::mesh {
namespace {

// (ring size + 1) the way along a closed ring up to each vertex, in its whole length.
std::vector<double> find_ways(const Surface& surface, const std::vector<std::uint32_t>& ring) {
  std::vector<double> ways = {0};
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec3d& a = surface.positions[ring[i]];
    const Vec3d& b = surface.positions[ring[(i + 1) % ring.size()]];
    ways.push_back(ways.back() + norm(b - a));
  }
  // A ring of no length goes round by its vertices.
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i] = ways.back() > 0 && i + 1 < ways.size()
                  ? ways[i] / ways.back()
                  : static_cast<double>(i) / static_cast<double>(ring.size());
  }
  return ways;
}

}  // namespace

void add_band(Surface& surface, const std::vector<std::uint32_t>& lower,
              const std::vector<std::uint32_t>& upper) {
  const std::vector<double> low_ways = find_ways(surface, lower);
  const std::vector<double> high_ways = find_ways(surface, upper);
  std::size_t i = 0, j = 0;
  while (i < lower.size() || j < upper.size()) {
    const std::uint32_t a = lower[i % lower.size()], b = upper[j % upper.size()];
    const bool below =
        j == upper.size() || (i < lower.size() && low_ways[i + 1] <= high_ways[j + 1]);
    if (below) {
      surface.triangles.push_back({a, lower[++i % lower.size()], b});
    } else {
      surface.triangles.push_back({a, upper[(j + 1) % upper.size()], b});
      ++j;
    }
  }
}

void add_cap(Surface& surface, const std::vector<std::uint32_t>& ring, const Vec3d& middle,
             bool is_top) {
  const auto center = static_cast<std::uint32_t>(surface.positions.size());
  surface.positions.push_back(middle);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const std::uint32_t a = ring[i], b = ring[(i + 1) % ring.size()];
    surface.triangles.push_back(is_top ? std::array{a, b, center} : std::array{b, a, center});
  }
}

}  // namespace sinew::mesh
