#include "sinew/mesh/surface.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew::mesh {
namespace {

struct Edge {
  std::uint32_t low, high;  // vertices, low < high
  bool forward;             // runs from low to high in its triangle
};

std::vector<Edge> sorted_edges(const Surface& surface) {
  std::vector<Edge> edges;
  edges.reserve(3 * surface.triangles.size());
  for (const auto& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.low, a.high, a.forward) < std::tie(b.low, b.high, b.forward);
  });
  return edges;
}

[[noreturn]] void refuse_edge(const Surface& surface, const std::string& path, const Edge& edge,
                              std::size_t count) {
  const Vec3d& a = surface.positions[edge.low];
  const Vec3d& b = surface.positions[edge.high];
  const std::string where =
      fmt::format("the edge from ({:.6g}, {:.6g}, {:.6g}) m to ({:.6g}, {:.6g}, {:.6g}) m", a.x,
                  a.y, a.z, b.x, b.y, b.z);
  if (count == 2) {
    throw InputError(
        path, "", where + " joins two triangles of opposite orientation; orient all faces outward");
  }
  throw InputError(path, "",
                   fmt::format("the surface is not closed: {} belongs to {} triangle{}, not to 2; "
                               "fill holes and weld or separate touching parts",
                               where, count, count == 1 ? "" : "s"));
}

}  // namespace

void check_closed(const Surface& surface, const std::string& path) {
  const std::vector<Edge> edges = sorted_edges(surface);
  if (edges.empty()) throw InputError(path, "", "the surface has no triangles");
  for (std::size_t begin = 0; begin < edges.size();) {
    std::size_t end = begin;
    while (end < edges.size() && edges[end].low == edges[begin].low &&
           edges[end].high == edges[begin].high) {
      ++end;
    }
    const bool opposite = edges[begin].forward != edges[end - 1].forward;
    if (end - begin != 2 || !opposite) refuse_edge(surface, path, edges[begin], end - begin);
    begin = end;
  }
  const double volume = compute_volume(surface);
  if (!(volume > 0)) {
    throw InputError(path, "",
                     fmt::format("the surface encloses {:.6g} m^3, which must be positive; {}",
                                 volume, volume < 0 ? "flip its faces outward" : "it is flat"));
  }
}

double compute_volume(const Surface& surface) {
  if (surface.positions.empty()) return 0;
  // Relative to a vertex: a small surface far from the origin keeps its digits.
  const Vec3d origin = surface.positions.front();
  double six_volumes = 0;
  for (const auto& t : surface.triangles) {
    const Vec3d a = surface.positions[t[0]] - origin;
    const Vec3d b = surface.positions[t[1]] - origin;
    const Vec3d c = surface.positions[t[2]] - origin;
    six_volumes += dot(a, cross(b, c));
  }
  return six_volumes / 6;
}

Bounds compute_bounds(const std::vector<Vec3d>& positions) {
  SINEW_CHECK(!positions.empty(), "bounds need at least one point");
  Bounds bounds{positions.front(), positions.front()};
  for (const Vec3d& p : positions) {
    for (std::size_t i = 0; i < 3; ++i) {
      bounds.low[i] = std::min(bounds.low[i], p[i]);
      bounds.high[i] = std::max(bounds.high[i], p[i]);
    }
  }
  return bounds;
}

}  // namespace sinew::mesh
