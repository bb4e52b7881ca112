#include "sinew/mesh/loose_tets.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sinew/core/disjoint_sets.h"

namespace sinew::mesh {
namespace {

constexpr double kCrumb = 0.25;          // of a cell: a part that fills more is no crumb
constexpr double kLeastTriangle = 1e-6;  // of squared edges: less is a row
constexpr double kReach = 4;             // edges, from a crumb to where its points may go

constexpr std::uint32_t kLoose = 0xffffffff;  // of no piece

using Face = std::array<std::uint32_t, 3>;

// Tetrahedra that hang together by faces.
DisjointSets join_by_faces(const TetMesh& mesh) {
  std::vector<std::pair<Face, std::uint32_t>> faces;
  faces.reserve(4 * mesh.tets.size());
  for (std::uint32_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& n = mesh.tets[t];
    for (const Face& face : {Face{n[1], n[2], n[3]}, Face{n[0], n[2], n[3]}, Face{n[0], n[1], n[3]},
                             Face{n[0], n[1], n[2]}}) {
      faces.emplace_back(face, t);
      std::sort(faces.back().first.begin(), faces.back().first.end());
    }
  }
  std::sort(faces.begin(), faces.end());
  DisjointSets sets(mesh.tets.size());
  for (std::size_t f = 1; f < faces.size(); ++f) {
    if (faces[f].first == faces[f - 1].first) sets.join(faces[f].second, faces[f - 1].second);
  }
  return sets;
}

struct Part {
  std::vector<std::uint32_t> tets;
  double fill = 0;
};

std::vector<Part> find_parts(const TetMesh& mesh) {
  DisjointSets roots = join_by_faces(mesh);
  std::vector<std::uint32_t> number(mesh.tets.size());
  std::vector<Part> parts;
  for (std::uint32_t t = 0; t < mesh.tets.size(); ++t) {
    const std::uint32_t root = roots.find(t);
    if (root == t) {
      number[t] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    Part& part = parts[number[root]];
    part.tets.push_back(t);
    part.fill += mesh.fill[t];
  }
  return parts;
}

// Whether a part stands on three marked nodes that are not in a row.
bool stands_on(const TetMesh& mesh, const Part& part, const std::vector<char>& marked) {
  std::vector<Vec3d> shared;
  for (const std::uint32_t t : part.tets) {
    for (const std::uint32_t n : mesh.tets[t]) {
      if (marked[n] == 0) continue;
      const Vec3d& x = mesh.rest_positions[n];
      if (std::find(shared.begin(), shared.end(), x) == shared.end()) shared.push_back(x);
    }
  }
  for (std::size_t i = 2; i < shared.size(); ++i) {
    const Vec3d a = shared[1] - shared[0], b = shared[i] - shared[0];
    const Vec3d c = cross(a, b);
    if (dot(c, c) > kLeastTriangle * dot(a, a) * dot(b, b)) return true;
  }
  return false;
}

void mark(const TetMesh& mesh, const Part& part, std::uint32_t piece,
          std::vector<std::uint32_t>& pieces, std::vector<char>& nodes) {
  for (const std::uint32_t t : part.tets) {
    pieces[t] = piece;
    for (const std::uint32_t n : mesh.tets[t]) nodes[n] = 1;
  }
}

std::vector<std::uint32_t> list_marked(const std::vector<char>& marked) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < marked.size(); ++i) {
    if (marked[i] != 0) list.push_back(i);
  }
  return list;
}

double squared_distance(const Vec3d& a, const Vec3d& b) {
  return dot(a - b, a - b);
}

// Kept tetrahedra that points of dropped ones may go to: those near by, else all.
std::vector<std::uint32_t> find_near(const TetMesh& mesh, const FirmPart& firm,
                                     const std::vector<std::uint32_t>& dropped) {
  const auto& first = mesh.tets[firm.tets[0]];
  const double edge2 =
      squared_distance(mesh.rest_positions[first[0]], mesh.rest_positions[first[1]]);
  std::vector<Vec3d> places;
  places.reserve(dropped.size());
  for (const std::uint32_t t : dropped)
    places.push_back(compute_middle(mesh.rest_positions, mesh.tets[t]));
  std::vector<std::uint32_t> near;
  for (const std::uint32_t t : firm.tets) {
    const Vec3d middle = compute_middle(mesh.rest_positions, mesh.tets[t]);
    const auto reaches = [&](const Vec3d& place) {
      return squared_distance(place, middle) < kReach * kReach * edge2;
    };
    if (std::any_of(places.begin(), places.end(), reaches)) near.push_back(t);
  }
  return near.empty() ? firm.tets : near;
}

// The point in the candidate that it is least outside of.
EmbeddedPoint move_point(const TetMesh& mesh, const EmbeddedPoint& point,
                         const std::vector<std::uint32_t>& candidates) {
  const Vec3d x = interpolate(point, mesh.tets[point.tet], mesh.rest_positions);
  EmbeddedPoint best = point;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t t : candidates) {
    const std::array<double, 4> weights = compute_weights(mesh, t, x);
    const double outside = outsideness(weights);
    if (outside < least) least = outside, best = {t, weights};
  }
  return best;
}

// Moves the elements at `kept`, increasing, to the front and drops the others.
template <class T>
void keep_only(const std::vector<std::uint32_t>& kept, std::vector<T>& values) {
  for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
  values.resize(kept.size());
}

// (size) the new number of what is kept.
std::vector<std::uint32_t> number_kept(const std::vector<std::uint32_t>& kept, std::size_t size) {
  std::vector<std::uint32_t> numbers(size, 0);
  for (std::uint32_t i = 0; i < kept.size(); ++i) numbers[kept[i]] = i;
  return numbers;
}

}  // namespace

FirmPart find_firm_part(const TetMesh& mesh) {
  std::vector<Part> parts = find_parts(mesh);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.fill > b.fill; });
  std::vector<std::uint32_t> pieces(mesh.tets.size(), kLoose);
  std::vector<char> nodes(mesh.rest_positions.size(), 0), kept(parts.size(), 0);
  FirmPart firm;
  const auto keep = [&](std::size_t p) {
    mark(mesh, parts[p], static_cast<std::uint32_t>(firm.num_pieces), pieces, nodes);
    kept[p] = 1;
  };
  for (std::size_t first = 0; first < parts.size(); ++first) {
    if (kept[first] != 0) continue;
    if (first > 0 && parts[first].fill <= kCrumb) break;
    keep(first);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = first + 1; p < parts.size(); ++p) {
        if (kept[p] != 0 || !stands_on(mesh, parts[p], nodes)) continue;
        keep(p);
        changed = true;
      }
    }
    ++firm.num_pieces;
  }
  for (std::uint32_t t = 0; t < pieces.size(); ++t) {
    if (pieces[t] == kLoose) continue;
    firm.tets.push_back(t);
    firm.pieces.push_back(pieces[t]);
  }
  firm.nodes = list_marked(nodes);
  return firm;
}

FirmPart drop_loose_tets(TetMesh& mesh, std::vector<EmbeddedPoint>& points) {
  FirmPart firm = find_firm_part(mesh);
  if (firm.tets.size() == mesh.tets.size()) return firm;
  std::vector<char> loose(mesh.tets.size(), 1);
  for (const std::uint32_t t : firm.tets) loose[t] = 0;
  const std::vector<std::uint32_t> near = find_near(mesh, firm, list_marked(loose));
  const std::vector<std::uint32_t> tet_numbers = number_kept(firm.tets, mesh.tets.size());
  for (EmbeddedPoint& point : points) {
    if (loose[point.tet] != 0) point = move_point(mesh, point, near);
    point.tet = tet_numbers[point.tet];
  }
  const std::vector<std::uint32_t> node_numbers =
      number_kept(firm.nodes, mesh.rest_positions.size());
  keep_only(firm.tets, mesh.tets);
  keep_only(firm.tets, mesh.fill);
  keep_only(firm.tets, mesh.orientation);
  keep_only(firm.nodes, mesh.rest_positions);
  for (auto& tet : mesh.tets) {
    for (std::uint32_t& n : tet) n = node_numbers[n];
  }
  mesh.num_corners = static_cast<std::uint32_t>(
      std::lower_bound(firm.nodes.begin(), firm.nodes.end(), mesh.num_corners) -
      firm.nodes.begin());
  return firm;
}

}  // namespace sinew::mesh
