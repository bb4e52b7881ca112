#include "sinew/mesh/tet_grid.h"

#include "sinew/core/error.h"

namespace sinew::mesh {
namespace {

std::uint16_t short_index(const GridNode& node) {
  return static_cast<std::uint16_t>(node_index(node));
}

void add_edges(const GridNode& from, TetGrid& grid) {
  for (int mask = 1; mask < 8; ++mask) {
    const GridNode to{from[0] + (mask & 1), from[1] + (mask >> 1 & 1), from[2] + (mask >> 2)};
    if (is_grid_node(to, grid.n)) grid.edges.push_back({short_index(from), short_index(to)});
  }
}

// Two steps along an edge each that make a third: every triangle has one node below all others.
void add_triangles(const GridNode& from, TetGrid& grid) {
  for (int first = 1; first < 8; ++first) {
    const GridNode middle{from[0] + (first & 1), from[1] + (first >> 1 & 1),
                          from[2] + (first >> 2)};
    if (!is_grid_node(middle, grid.n)) continue;
    for (int both = first + 1; both < 8; ++both) {
      const GridNode to{from[0] + (both & 1), from[1] + (both >> 1 & 1), from[2] + (both >> 2)};
      if ((both & first) != first || !is_grid_node(to, grid.n)) continue;
      grid.triangles.push_back({short_index(from), short_index(middle), short_index(to)});
    }
  }
}

// The tetrahedra of the cube above a node: one for each order of steps along the three axes.
void add_tets(const GridNode& from, TetGrid& grid) {
  constexpr std::array<std::array<std::size_t, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  for (const auto& order : kOrders) {
    GridNode node = from;
    std::array<std::uint16_t, 4> tet{short_index(node)};
    bool inside = true;
    for (std::size_t step = 0; step < 3 && inside; ++step) {
      ++node[order[step]];
      inside = is_grid_node(node, grid.n);
      if (inside) tet[step + 1] = short_index(node);
    }
    if (inside) grid.tets.push_back(tet);
  }
}

TetGrid make_grid(int n) {
  TetGrid grid{n, {}, {}, {}, {}, {}};
  for (int x = 0; x <= n; ++x) {
    for (int y = 0; y <= x; ++y) {
      for (int z = 0; z <= y; ++z) grid.nodes.push_back({x, y, z});
    }
  }
  for (const GridNode& node : grid.nodes) {
    add_edges(node, grid);
    add_triangles(node, grid);
    add_tets(node, grid);
    grid.parents.push_back(
        {short_index({node[0] / 2, node[1] / 2, node[2] / 2}),
         short_index({(node[0] + 1) / 2, (node[1] + 1) / 2, (node[2] + 1) / 2})});
  }
  return grid;
}

}  // namespace

const TetGrid& tet_grid(int n) {
  static const std::array<TetGrid, 4> kGrids = {make_grid(4), make_grid(8), make_grid(16),
                                                make_grid(32)};
  static_assert(kCoarsestGrid == 4 && kFinestGrid == 32);
  for (const TetGrid& grid : kGrids) {
    if (grid.n == n) return grid;
  }
  fail_check("n", __FILE__, __LINE__, "a grid has 4, 8, 16 or 32 cuts of an edge");
}

}  // namespace sinew::mesh
