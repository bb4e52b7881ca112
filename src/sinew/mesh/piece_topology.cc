#include "sinew/mesh/piece_topology.h"

namespace sinew::mesh {
namespace {

void add_to(std::int8_t& count, int by) {
  count = static_cast<std::int8_t>(count + by);
}

// What is on the edges of the cell: n + 1 nodes each.
void measure_edges(const TetGrid& grid, std::span<const std::uint16_t> labels,
                   std::vector<PieceTopology>& pieces) {
  for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
    std::size_t before = pieces.size();
    for (int step = 0; step <= grid.n; ++step) {
      std::array<int, 4> weights{};
      weights[kTetEdges[e][0]] = grid.n - step;
      weights[kTetEdges[e][1]] = step;
      const std::size_t label = labels[node_index(node_of_weights(weights))];
      if (label < pieces.size()) add_to(pieces[label].edges[e], label == before ? 0 : 1);
      before = label;
    }
  }
}

void measure_faces(const TetGrid& grid, std::span<const std::uint16_t> labels,
                   std::vector<PieceTopology>& pieces) {
  std::vector<std::uint16_t> on_face(triangle_index(grid.n, grid.n, 0) + 1);
  for (std::size_t f = 0; f < 4; ++f) {
    for (int i = 0; i <= grid.n; ++i) {
      for (int j = 0; i + j <= grid.n; ++j) {
        std::array<int, 4> weights{};
        weights[(f + 1) % 4] = i;
        weights[(f + 2) % 4] = j;
        weights[(f + 3) % 4] = grid.n - i - j;
        on_face[triangle_index(grid.n, i, j)] = labels[node_index(node_of_weights(weights))];
      }
    }
    const std::vector<int> euler = measure_triangle(grid.n, on_face, pieces.size());
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      pieces[p].faces[f] = static_cast<std::int16_t>(euler[p]);
    }
  }
}

}  // namespace

std::vector<PieceTopology> measure_topology(const TetGrid& grid,
                                            std::span<const std::uint16_t> labels,
                                            std::size_t count) {
  std::vector<PieceTopology> pieces(count, {0, {}, {}, {}});
  for (const std::uint16_t a : labels) {
    if (a < count) ++pieces[a].euler;
  }
  for (const auto& [i, j] : grid.edges) {
    if (labels[i] < count && labels[i] == labels[j]) --pieces[labels[i]].euler;
  }
  for (const auto& [i, j, k] : grid.triangles) {
    const std::uint16_t a = labels[i];
    if (a < count && a == labels[j] && a == labels[k]) ++pieces[a].euler;
  }
  for (const auto& [i, j, k, l] : grid.tets) {
    const std::uint16_t a = labels[i];
    if (a < count && a == labels[j] && a == labels[k] && a == labels[l]) --pieces[a].euler;
  }
  measure_faces(grid, labels, pieces);
  measure_edges(grid, labels, pieces);
  for (std::size_t c = 0; c < 4; ++c) {
    std::array<int, 4> weights{};
    weights[c] = grid.n;
    const std::size_t label = labels[node_index(node_of_weights(weights))];
    if (label < count) pieces[label].corners[c] = 1;
  }
  return pieces;
}

std::vector<int> measure_triangle(int n, std::span<const std::uint16_t> labels, std::size_t count) {
  std::vector<int> euler(count, 0);
  const auto add = [&](int by, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (a < count && a == b && a == c) euler[a] += by;
  };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) {
      const std::uint16_t here = labels[triangle_index(n, i, j)];
      add(1, here, here, here);
      if (i + j == n) continue;
      const std::uint16_t right = labels[triangle_index(n, i + 1, j)];
      const std::uint16_t up = labels[triangle_index(n, i, j + 1)];
      add(-1, here, right, right);
      add(-1, here, up, up);
      add(-1, right, up, up);
      add(1, here, right, up);
      if (i + j + 2 <= n) add(1, right, up, labels[triangle_index(n, i + 1, j + 1)]);
    }
  }
  return euler;
}

}  // namespace sinew::mesh
