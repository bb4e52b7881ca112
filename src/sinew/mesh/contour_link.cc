#include "sinew/mesh/contour_link.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/core/disjoint_sets.h"

namespace sinew::mesh {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// What of the material is seen on a small sphere about a node: the star's tetrahedra cut the sphere
// in triangles, the contour cuts some of those.
struct Link {
  std::vector<std::uint32_t> nodes;  // not outside
  std::vector<Edge> edges;           // between such nodes
  // An edge with material on it and a triangle at it.
  std::vector<std::pair<Edge, std::uint32_t>> doors;
  std::uint32_t triangles = 0;  // with material
  std::uint32_t whole = 0;      // those without a node outside
};

std::array<std::uint32_t, 3> opposite_face(const TetNodes& tet, std::uint32_t n) {
  std::array<std::uint32_t, 3> face{};
  std::remove_copy(tet.begin(), tet.end(), face.begin(), n);
  std::sort(face.begin(), face.end());
  return face;
}

void add_triangle(const std::array<std::uint32_t, 3>& face, std::span<const Side> sides,
                  Link& link) {
  const auto has = [&](Side side) {
    return std::any_of(face.begin(), face.end(), [&](std::uint32_t m) { return sides[m] == side; });
  };
  if (!has(Side::kInside)) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if (sides[face[i]] != Side::kOutside) link.nodes.push_back(face[i]);
    for (std::size_t j = i + 1; j < 3; ++j) {
      const Side a = sides[face[i]], b = sides[face[j]];
      const Edge edge{face[i], face[j]};
      const bool both = a != Side::kOutside && b != Side::kOutside;
      if (both) link.edges.push_back(edge);
      if (both || a == Side::kInside || b == Side::kInside) {
        link.doors.emplace_back(edge, link.triangles);
      }
    }
  }
  if (!has(Side::kOutside)) ++link.whole;
  ++link.triangles;
}

// Pieces of the material, joined across edges.
std::uint32_t count_pieces(Link& link) {
  std::sort(link.doors.begin(), link.doors.end());
  DisjointSets sets(link.triangles);
  std::uint32_t pieces = link.triangles;
  for (std::size_t d = 1; d < link.doors.size(); ++d) {
    const auto& [edge, triangle] = link.doors[d];
    const auto& [other_edge, other] = link.doors[d - 1];
    if (edge != other_edge || sets.find(triangle) == sets.find(other)) continue;
    sets.join(triangle, other);
    --pieces;
  }
  return pieces;
}

template <class T>
std::size_t count_unique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  return static_cast<std::size_t>(std::unique(items.begin(), items.end()) - items.begin());
}

}  // namespace

bool is_surface_at(std::uint32_t n, const NodeStars& stars, std::span<const TetNodes> tets,
                   std::span<const Side> sides) {
  Link link;
  for (const std::uint32_t t : stars.of(n)) add_triangle(opposite_face(tets[t], n), sides, link);
  if (link.triangles == 0) return false;
  // V - E + F, 1 of a disc and 2 of the sphere. What the contour cuts cancels: a cut edge is an
  // edge and brings a vertex, a cut triangle is a face and brings an edge.
  const std::size_t euler = count_unique(link.nodes) + link.whole - count_unique(link.edges);
  return count_pieces(link) == 1 && (euler == 1 || euler == 2);
}

}  // namespace sinew::mesh
