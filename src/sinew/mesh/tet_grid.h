// A tetrahedron cut into n^3 equal ones along its edges: the grid on which the pieces of a lattice
// cell are told apart. Tables only; the positions are the caller's.
//
// Nodes are (x, y, z) with n >= x >= y >= z >= 0: the point w0 + (x (w1 - w0) + y (w2 - w1) +
// z (w3 - w2)) / n. In these coordinates the cut is Kuhn's of the cubes, so that the edges run
// along the seven vectors of zeros and ones. On a face it is the only regular one: two tetrahedra
// that share a face have the same nodes there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew::mesh {

inline constexpr int kCoarsestGrid = 4;
inline constexpr int kFinestGrid = 32;

using GridNode = std::array<int, 3>;  // x, y, z

struct TetGrid {
  int n;                                                // cuts of an edge
  std::vector<GridNode> nodes;                          // (num_nodes)
  std::vector<std::array<std::uint16_t, 2>> edges;      // (num_edges)
  std::vector<std::array<std::uint16_t, 3>> triangles;  // (num_triangles)
  std::vector<std::array<std::uint16_t, 4>> tets;       // (n^3)
  // (num_nodes) in the grid of n / 2: the ends of the edge whose middle the node is, twice the same
  // where it is a node of that grid.
  std::vector<std::array<std::uint16_t, 2>> parents;
};

// Precondition: n is a power of two from kCoarsestGrid to kFinestGrid.
const TetGrid& tet_grid(int n);

inline bool is_grid_node(const GridNode& node, int n) {
  return n >= node[0] && node[0] >= node[1] && node[1] >= node[2] && node[2] >= 0;
}

// Number of a node, the same in every grid that has it. Precondition: x >= y >= z >= 0.
inline std::size_t node_index(const GridNode& node) {
  const auto x = static_cast<std::size_t>(node[0]);
  const auto y = static_cast<std::size_t>(node[1]);
  return x * (x + 1) * (x + 2) / 6 + y * (y + 1) / 2 + static_cast<std::size_t>(node[2]);
}

// Node with these parts of n at the corners w0 to w3. Precondition: their sum is n, none negative.
inline GridNode node_of_weights(const std::array<int, 4>& weights) {
  return {weights[1] + weights[2] + weights[3], weights[2] + weights[3], weights[3]};
}
// Calls visit(node) for the nodes at the other ends of a node's edges.
template <class Visit>
void visit_neighbours(const GridNode& node, int n, const Visit& visit) {
  for (int step = 1; step < 15; ++step) {  // the seven vectors of zeros and ones, and back
    const int sign = step < 8 ? 1 : -1, mask = step < 8 ? step : step - 7;
    const GridNode to{node[0] + sign * (mask & 1), node[1] + sign * (mask >> 1 & 1),
                      node[2] + sign * (mask >> 2)};
    if (is_grid_node(to, n)) visit(to);
  }
}

inline std::array<int, 4> weights_of(const GridNode& node, int n) {
  return {n - node[0], node[0] - node[1], node[1] - node[2], node[2]};
}

}  // namespace sinew::mesh
