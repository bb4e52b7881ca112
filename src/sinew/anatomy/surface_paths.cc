#include "sinew/anatomy/surface_paths.h"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace sinew::anatomy {

SurfaceGraph make_graph(const mesh::Surface& surface) {
  SurfaceGraph graph;
  graph.first.assign(surface.positions.size() + 1, 0);
  for (const auto& t : surface.triangles) {
    for (const std::uint32_t v : t) ++graph.first[v + 1];
  }
  for (std::size_t v = 1; v < graph.first.size(); ++v) graph.first[v] += graph.first[v - 1];
  graph.neighbors.resize(3 * surface.triangles.size());
  graph.lengths.resize(3 * surface.triangles.size());
  std::vector<std::uint32_t> next(graph.first.begin(), graph.first.end() - 1);
  for (const auto& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      graph.neighbors[next[a]] = b;
      graph.lengths[next[a]++] = norm(surface.positions[b] - surface.positions[a]);
    }
  }
  return graph;
}

std::vector<double> compute_path_lengths(const SurfaceGraph& graph,
                                         std::span<const std::uint32_t> sources) {
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<double> lengths(graph.first.size() - 1, std::numeric_limits<double>::infinity());
  for (const std::uint32_t v : sources) {
    lengths[v] = 0;
    queue.emplace(0.0, v);
  }
  while (!queue.empty()) {
    const auto [length, v] = queue.top();
    queue.pop();
    if (length > lengths[v]) continue;
    for (std::uint32_t k = graph.first[v]; k < graph.first[v + 1]; ++k) {
      const std::uint32_t n = graph.neighbors[k];
      const double through = length + graph.lengths[k];
      if (through >= lengths[n]) continue;
      lengths[n] = through;
      queue.emplace(through, n);
    }
  }
  return lengths;
}

std::vector<double> compute_vertex_areas(const mesh::Surface& surface) {
  std::vector<double> areas(surface.positions.size(), 0.0);
  for (const auto& t : surface.triangles) {
    const Vec3d& a = surface.positions[t[0]];
    const double area = norm(cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a)) / 6;
    for (const std::uint32_t v : t) areas[v] += area;
  }
  return areas;
}

std::vector<Vec3d> compute_vertex_normals(const mesh::Surface& surface) {
  std::vector<Vec3d> normals(surface.positions.size());
  for (const auto& t : surface.triangles) {
    const Vec3d& a = surface.positions[t[0]];
    const Vec3d area = cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
    for (const std::uint32_t v : t) normals[v] += area;
  }
  for (Vec3d& n : normals) {
    const double size = norm(n);
    n = size > 0 ? n / size : Vec3d{};
  }
  return normals;
}

}  // namespace sinew::anatomy
