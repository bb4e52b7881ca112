#include "sinew/mesh/star_topology.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sinew::mesh {
namespace {

// Topology of several sectors as one.
PieceTopology measure_sectors(const CellPieces& cell, const std::vector<char>& marks) {
  std::vector<std::uint16_t> labels = cell.labels;
  for (std::uint16_t& label : labels) {
    if (label != CellPieces::kOutside) label = marks[label] != 0 ? 0 : CellPieces::kOutside;
  }
  return measure_topology(tet_grid(cell.n), labels, 1).front();
}

template <class Count, std::size_t size>
void add(const std::array<Count, size>& more, std::array<Count, size>& sum) {
  for (std::size_t n = 0; n < size; ++n) sum[n] = static_cast<Count>(sum[n] + more[n]);
}

// A number for a node of a lattice of less than 2^20 cells along each axis.
std::uint64_t number_of(const LatticeNode& node) {
  std::uint64_t number = 0;
  for (const std::int32_t at : node.cell) number = number << 20 | static_cast<std::uint64_t>(at);
  return number << 1 | (node.centre ? 1 : 0);
}

// What the open face, edge or corner of a cell adds to the characteristic.
struct Share {
  std::array<std::uint64_t, 3> nodes;  // of the face or edge, in order, the first of them repeated
  int cuts;                            // of the cell that sees it
  int euler;

  bool is_of(const Share& b) const {
    return nodes[0] == b.nodes[0] && nodes[1] == b.nodes[1] && nodes[2] == b.nodes[2];
  }
  bool is_before(const Share& b) const {
    if (nodes[0] != b.nodes[0]) return nodes[0] < b.nodes[0];
    if (nodes[1] != b.nodes[1]) return nodes[1] < b.nodes[1];
    return nodes[2] != b.nodes[2] ? nodes[2] < b.nodes[2] : cuts > b.cuts;
  }
};

class Measure {
 public:
  void add_cell(const CellPieces& cell, const PieceTopology& topology);

  // Of a face, edge or corner that several cells have, the finest sees most.
  int run() {
    std::sort(shares_.begin(), shares_.end(),
              [](const Share& a, const Share& b) { return a.is_before(b); });
    for (std::size_t n = 0; n < shares_.size(); ++n) {
      if (n == 0 || !shares_[n].is_of(shares_[n - 1])) euler_ += shares_[n].euler;
    }
    return euler_;
  }

 private:
  void add_share(std::array<std::uint64_t, 3> nodes, std::size_t count, int cuts, int euler) {
    std::sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count));
    std::fill(nodes.begin() + static_cast<std::ptrdiff_t>(count), nodes.end(), nodes[0]);
    shares_.push_back({nodes, cuts, euler});
  }

  std::vector<Share> shares_;
  int euler_ = 0;
};

// From characteristics with borders to those without, from the corners up.
void Measure::add_cell(const CellPieces& cell, const PieceTopology& topology) {
  const auto of_cell = nodes_of(cell.place);
  std::array<std::uint64_t, 4> nodes;  // by corner of the grid
  for (std::size_t c = 0; c < 4; ++c) nodes[c] = number_of(of_cell[kGridCorners[c]]);
  std::array<int, 4> faces{};
  for (std::size_t c = 0; c < 4; ++c) faces[c] = topology.faces[c];
  int inside = topology.euler;
  for (std::size_t c = 0; c < 4; ++c) {
    add_share({nodes[c]}, 1, cell.n, topology.corners[c]);
    inside -= topology.corners[c];
    for (std::size_t f = 0; f < 4; ++f) faces[f] -= f == c ? 0 : topology.corners[c];
  }
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = kTetEdges[e];
    const int open = topology.edges[e] - topology.corners[a] - topology.corners[b];
    add_share({nodes[a], nodes[b]}, 2, cell.n, open);
    inside -= open;
    for (std::size_t f = 0; f < 4; ++f) faces[f] -= f == a || f == b ? 0 : open;
  }
  for (std::size_t f = 0; f < 4; ++f) {
    add_share({nodes[(f + 1) % 4], nodes[(f + 2) % 4], nodes[(f + 3) % 4]}, 3, cell.n, faces[f]);
    inside -= faces[f];
  }
  euler_ += inside;
}

}  // namespace

int measure_pieces(const PieceGraph& graph, const std::vector<std::uint32_t>& pieces) {
  Measure measure;
  for (std::size_t n = 0; n < pieces.size();) {
    const std::uint32_t c = graph.cell_of[pieces[n]];
    const CellPieces& cell = graph.cells[c];
    PieceTopology sum{0, {}, {}, {}};
    std::vector<char> marks(cell.pieces.size(), 0);
    for (; n < pieces.size() && graph.cell_of[pieces[n]] == c; ++n) {
      const PieceTopology& topology = graph.piece(pieces[n]).topology;
      marks[pieces[n] - graph.first_piece[c]] = 1;
      sum.euler += topology.euler;
      add(topology.faces, sum.faces);
      add(topology.edges, sum.edges);
      add(topology.corners, sum.corners);
    }
    measure.add_cell(cell, cell.is_cut() ? measure_sectors(cell, marks) : sum);
  }
  return measure.run();
}

}  // namespace sinew::mesh
