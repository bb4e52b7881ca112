#include "sinew/mesh/boundary.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sinew::mesh {
namespace {

// Faces of a tetrahedron of positive volume, outward by the right-hand rule.
constexpr std::array<std::array<std::size_t, 3>, 4> kFaces = {
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

struct Face {
  std::array<std::uint32_t, 3> nodes;  // increasing
  bool even;                           // that order is an even permutation of the outward one
  std::uint32_t tet;
};

Face make_face(const std::array<std::uint32_t, 4>& tet, std::size_t f, std::uint32_t t) {
  Face face{{tet[kFaces[f][0]], tet[kFaces[f][1]], tet[kFaces[f][2]]}, true, t};
  auto& n = face.nodes;
  const auto order = [&](std::size_t i, std::size_t j) {
    if (n[i] <= n[j]) return;
    std::swap(n[i], n[j]);
    face.even = !face.even;
  };
  order(0, 1), order(1, 2), order(0, 1);
  return face;
}

std::vector<Face> sorted_faces(std::span<const std::array<std::uint32_t, 4>> tets) {
  std::vector<Face> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (std::size_t f = 0; f < 4; ++f) {
      faces.push_back(make_face(tets[t], f, static_cast<std::uint32_t>(t)));
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return std::tie(a.nodes, a.even, a.tet) < std::tie(b.nodes, b.even, b.tet);
  });
  return faces;
}

std::size_t count_pinched_edges(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(3 * triangles.size());
  for (const auto& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(std::minmax({t[i], t[(i + 1) % 3]}));
  }
  std::sort(edges.begin(), edges.end());
  std::size_t pinched = 0;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end] == edges[begin]) ++end;
    if (end - begin > 2) ++pinched;
  }
  return pinched;
}

}  // namespace

std::optional<BadFace> find_bad_face(std::span<const std::array<std::uint32_t, 4>> tets) {
  const std::vector<Face> faces = sorted_faces(tets);
  for (std::size_t i = 1; i < faces.size(); ++i) {
    const Face& a = faces[i - 1];
    const Face& b = faces[i];
    if (a.nodes == b.nodes && a.even == b.even) return BadFace{a.nodes, a.tet, b.tet};
  }
  return std::nullopt;
}

Boundary extract_boundary(std::span<const Vec3d> positions,
                          std::span<const std::array<std::uint32_t, 4>> tets) {
  const std::vector<Face> faces = sorted_faces(tets);
  Boundary boundary;
  auto& triangles = boundary.surface.triangles;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    auto nodes = faces[i].nodes;
    if (i + 1 < faces.size() && faces[i + 1].nodes == nodes) {
      ++i;  // shared by two tetrahedra
      continue;
    }
    if (!faces[i].even) std::swap(nodes[1], nodes[2]);
    triangles.push_back(nodes);
  }
  boundary.num_pinched_edges = count_pinched_edges(triangles);
  for (const auto& t : triangles) boundary.nodes.insert(boundary.nodes.end(), t.begin(), t.end());
  std::sort(boundary.nodes.begin(), boundary.nodes.end());
  boundary.nodes.erase(std::unique(boundary.nodes.begin(), boundary.nodes.end()),
                       boundary.nodes.end());
  std::vector<std::uint32_t> vertex_of(positions.size());
  for (const std::uint32_t n : boundary.nodes) {
    vertex_of[n] = static_cast<std::uint32_t>(boundary.surface.positions.size());
    boundary.surface.positions.push_back(positions[n]);
  }
  for (auto& t : triangles)
    for (std::uint32_t& corner : t) corner = vertex_of[corner];
  return boundary;
}

}  // namespace sinew::mesh
