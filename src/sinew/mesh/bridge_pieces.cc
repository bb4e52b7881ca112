#include "sinew/mesh/bridge_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "sinew/mesh/lattice_faces.h"
#include "sinew/mesh/loose_tets.h"

namespace sinew::mesh {
namespace {

constexpr int kReach = 24;  // faces on the way from piece to piece
// Mean area that a cell of spacing 1 shows from all sides, a quarter of its surface (Cauchy): what
// a strand through it is compared with.
constexpr double kMeanSection = 0.35355339059327373;

// The lattice as a graph: what stands where.
struct Places {
  std::vector<LatticeTet> tets;                        // (num_tets)
  std::multimap<std::uint64_t, std::uint32_t> by_key;  // tetrahedra; copies have one key
};

Places find_places(const BccLattice& lattice, const TetMesh& mesh) {
  Places places;
  for (std::uint32_t t = 0; t < mesh.tets.size(); ++t) {
    places.tets.push_back(find_tet(lattice, compute_middle(mesh.rest_positions, mesh.tets[t])));
    places.by_key.emplace(key_of(lattice, places.tets.back()), t);
  }
  return places;
}

LatticeTet step_across(const LatticeTet& tet, std::size_t face) {
  const FaceNeighbor& across = neighbor_across(tet.orientation, face);
  Cell cell = tet.cell;
  for (std::size_t d = 0; d < 3; ++d) cell[d] += across.step[d];
  return {cell, across.orientation};
}

// The cubes at the border have no cube beyond them, and their keys would repeat.
bool contains(const BccLattice& lattice, const LatticeTet& tet) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (tet.cell[d] < 0 || tet.cell[d] + 1 >= lattice.cells[d]) return false;
  }
  return true;
}

// A way over faces: its first and last cell are tetrahedra of the mesh, those between are to come.
struct Way {
  std::uint32_t from, to;
  std::vector<LatticeTet> between;
};

struct Seen {
  LatticeTet place;
  std::size_t before;  // in the list of those seen; itself at a start
  int faces;           // from the start
};

// From a goal back to the first tetrahedron that is there and no goal.
Way trace_back(const BccLattice& lattice, const Places& places, const std::vector<Seen>& seen,
               const std::vector<char>& is_goal, std::size_t at, std::uint32_t goal) {
  Way way{goal, goal, {}};
  for (;; at = seen[at].before) {
    const auto here = places.by_key.equal_range(key_of(lattice, seen[at].place));
    for (auto tet = here.first; tet != here.second; ++tet) {
      if (is_goal[tet->second] != 0) continue;
      way.from = tet->second;
      return way;
    }
    if (here.first == here.second) way.between.push_back(seen[at].place);
  }
}

// Breadth first, by cells in the order in which they are found: the same way on every run.
std::optional<Way> find_way(const BccLattice& lattice, const Places& places,
                            const std::vector<std::uint32_t>& starts,
                            const std::vector<char>& is_goal) {
  std::vector<Seen> seen;
  std::set<std::uint64_t> keys;
  for (const std::uint32_t t : starts) {
    if (!keys.insert(key_of(lattice, places.tets[t])).second) continue;
    seen.push_back({places.tets[t], seen.size(), 0});
  }
  for (std::size_t i = 0; i < seen.size() && seen[i].faces <= kReach; ++i) {
    const auto here = places.by_key.equal_range(key_of(lattice, seen[i].place));
    for (auto goal = here.first; goal != here.second; ++goal) {
      if (is_goal[goal->second] == 0) continue;
      return trace_back(lattice, places, seen, is_goal, i, goal->second);
    }
    for (std::size_t face = 0; face < 4; ++face) {
      const LatticeTet next = step_across(seen[i].place, face);
      if (!contains(lattice, next) || !keys.insert(key_of(lattice, next)).second) continue;
      seen.push_back({next, i, seen[i].faces + 1});
    }
  }
  return std::nullopt;
}

// Tetrahedra outside the joined part that carry a vertex of an edge whose other one is carried by
// it: where the tear is. All that are not joined where the surface leads to none of them.
std::vector<std::uint32_t> find_tear(const std::vector<std::array<std::uint32_t, 3>>& triangles,
                                     const std::vector<EmbeddedPoint>& points,
                                     const std::vector<char>& joined) {
  std::vector<std::uint32_t> tear;
  for (const auto& triangle : triangles) {
    for (std::size_t e = 0; e < 3; ++e) {
      const std::uint32_t a = points[triangle[e]].tet, b = points[triangle[(e + 1) % 3]].tet;
      if (joined[a] != joined[b]) tear.push_back(joined[a] != 0 ? b : a);
    }
  }
  if (tear.empty()) {
    for (std::uint32_t t = 0; t < joined.size(); ++t) {
      if (joined[t] == 0) tear.push_back(t);
    }
  }
  std::sort(tear.begin(), tear.end());
  tear.erase(std::unique(tear.begin(), tear.end()), tear.end());
  return tear;
}

void replace_node(std::uint32_t from, std::uint32_t to, TetMesh& mesh) {
  for (auto& tet : mesh.tets) std::replace(tet.begin(), tet.end(), from, to);
}

// Makes the cells of the way, on the nodes of its two ends where they have one there.
Bridge build_way(const BccLattice& lattice, const Way& way, double fill, Places& places,
                 TetMesh& mesh) {
  std::map<LatticeNode, std::uint32_t> nodes;
  const auto start = nodes_of(places.tets[way.from]), goal = nodes_of(places.tets[way.to]);
  for (std::size_t c = 0; c < 4; ++c) nodes[start[c]] = mesh.tets[way.from][c];
  for (std::size_t c = 0; c < 4; ++c) {
    const std::uint32_t theirs = mesh.tets[way.to][c];
    const auto [mine, is_new] = nodes.emplace(goal[c], theirs);
    if (!is_new && mine->second != theirs) replace_node(theirs, mine->second, mesh);
  }
  for (const LatticeTet& place : way.between) {
    std::array<std::uint32_t, 4> tet;
    const auto corners = nodes_of(place);
    for (std::size_t c = 0; c < 4; ++c) {
      const auto next = static_cast<std::uint32_t>(mesh.rest_positions.size());
      const auto [node, is_new] = nodes.emplace(corners[c], next);
      if (is_new) mesh.rest_positions.push_back(position(lattice, corners[c]));
      tet[c] = node->second;
    }
    mesh.tets.push_back(tet);
    mesh.fill.push_back(fill);
    mesh.orientation.push_back(static_cast<std::uint8_t>(place.orientation));
    places.tets.push_back(place);
    places.by_key.emplace(key_of(lattice, place), static_cast<std::uint32_t>(mesh.tets.size() - 1));
  }
  const double tet_volume = std::pow(lattice.spacing, 3) / 12;
  return {position(lattice, start[0]), way.between.size(),
          fill * tet_volume * static_cast<double>(way.between.size())};
}

template <class T>
std::vector<T> in_order(const std::vector<std::uint32_t>& order, const std::vector<T>& values) {
  std::vector<T> out;
  out.reserve(order.size());
  for (const std::uint32_t i : order) out.push_back(values[i]);
  return out;
}

std::vector<std::uint32_t> invert(const std::vector<std::uint32_t>& order, std::size_t size) {
  std::vector<std::uint32_t> number(size, 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  return number;
}

// Brings nodes and tetrahedra back into the order of tet_mesh.h and drops nodes without any.
void sort_mesh(const BccLattice& lattice, const Places& places, TetMesh& mesh,
               std::vector<EmbeddedPoint>& points) {
  std::vector<std::optional<LatticeNode>> node_places(mesh.rest_positions.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto corners = nodes_of(places.tets[t]);
    for (std::size_t c = 0; c < 4; ++c) node_places[mesh.tets[t][c]] = corners[c];
  }
  std::vector<std::uint32_t> nodes, tets(mesh.tets.size());
  for (std::uint32_t n = 0; n < node_places.size(); ++n) {
    if (node_places[n]) nodes.push_back(n);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
    return node_before(*node_places[a], *node_places[b]);
  });
  std::iota(tets.begin(), tets.end(), 0U);
  std::stable_sort(tets.begin(), tets.end(), [&](std::uint32_t a, std::uint32_t b) {
    return key_of(lattice, places.tets[a]) < key_of(lattice, places.tets[b]);
  });
  const std::vector<std::uint32_t> node_numbers = invert(nodes, node_places.size());
  const std::vector<std::uint32_t> tet_numbers = invert(tets, tets.size());
  mesh.num_corners = static_cast<std::uint32_t>(std::count_if(
      nodes.begin(), nodes.end(), [&](std::uint32_t n) { return !node_places[n]->centre; }));
  mesh.rest_positions = in_order(nodes, mesh.rest_positions);
  mesh.tets = in_order(tets, mesh.tets);
  mesh.fill = in_order(tets, mesh.fill);
  mesh.orientation = in_order(tets, mesh.orientation);
  for (auto& tet : mesh.tets) {
    for (std::uint32_t& n : tet) n = node_numbers[n];
  }
  for (EmbeddedPoint& point : points) point.tet = tet_numbers[point.tet];
}

}  // namespace

std::vector<Bridge> bridge_pieces(const BccLattice& lattice,
                                  const std::vector<std::array<std::uint32_t, 3>>& triangles,
                                  double section, TetMesh& mesh,
                                  std::vector<EmbeddedPoint>& points) {
  std::vector<Bridge> bridges;
  const FirmPart firm = find_firm_part(mesh);
  if (firm.num_pieces < 2) return bridges;
  const double fill = std::min(1.0, section / (kMeanSection * std::pow(lattice.spacing, 2)));
  Places places = find_places(lattice, mesh);
  std::vector<std::uint32_t> pieces = firm.pieces;
  // The first piece, which is the largest, and what bridges lead to.
  std::vector<char> joined(mesh.tets.size(), 0);
  const auto join = [&](std::uint32_t piece) {
    for (std::size_t t = 0; t < pieces.size(); ++t) {
      if (pieces[t] == piece) joined[t] = 1;
    }
  };
  join(0);
  while (const auto way = find_way(lattice, places, find_tear(triangles, points, joined), joined)) {
    bridges.push_back(build_way(lattice, *way, fill, places, mesh));
    join(pieces[way->from]);
    pieces.resize(mesh.tets.size(), pieces[way->from]);
    joined.resize(mesh.tets.size(), 1);
  }
  sort_mesh(lattice, places, mesh, points);
  return bridges;
}

}  // namespace sinew::mesh
