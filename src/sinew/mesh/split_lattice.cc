#include "sinew/mesh/split_lattice.h"

#include <algorithm>
#include <utility>

#include "sinew/core/disjoint_sets.h"
#include "sinew/mesh/glue_pieces.h"
#include "sinew/mesh/piece_graph.h"

namespace sinew::mesh {
namespace {

// The edge of the smallest voxel that the shape is sampled at, m; 0 where some of it is exact.
double smallest_voxel(const Shape& shape) {
  const auto of_parts = [](const std::vector<Shape>& parts) {
    double least = smallest_voxel(parts.front());
    for (const Shape& part : parts) least = std::min(least, smallest_voxel(part));
    return least;
  };
  if (const auto* all = std::get_if<Union>(&shape.form)) return of_parts(*all->parts);
  if (const auto* rest = std::get_if<Difference>(&shape.form)) return of_parts(*rest->parts);
  const auto* sampled = std::get_if<Sampled>(&shape.form);
  if (sampled == nullptr) return 0;
  const Mat3d& axes = sampled->field->grid.axes;
  return std::min({norm(axes.col(0)), norm(axes.col(1)), norm(axes.col(2))});
}

int choose_samples(const Shape& shape, double spacing, int most) {
  const double voxel = smallest_voxel(shape);
  int samples = kCoarsestGrid;
  while (samples < most && samples * voxel < 2 * spacing) samples *= 2;
  return samples;
}

// A copy of a lattice node: ordered by place, then by number.
struct NodeCopy {
  LatticeNode place;
  std::uint32_t number;
};

bool copy_before(const NodeCopy& a, const NodeCopy& b) {
  if (a.place == b.place) return a.number < b.number;
  return node_before(a.place, b.place);
}

// Calls visit(cell, piece) for each piece that has a copy of its own.
template <class Visit>
void for_each_copy(const PieceGraph& graph, const Gluing& gluing, const Visit& visit) {
  for (std::size_t c = 0; c < graph.cells.size(); ++c) {
    for (std::uint32_t p = graph.first_piece[c]; p < graph.first_piece[c + 1]; ++p) {
      if (gluing.copy[p] == p) visit(c, p);
    }
  }
}

// Numbers of the nodes in their order, (num_pieces x 4); appends their positions to the mesh.
std::vector<std::uint32_t> add_nodes(const PieceGraph& graph, const Gluing& gluing, TetMesh& mesh) {
  std::vector<NodeCopy> copies;
  for_each_copy(graph, gluing, [&](std::size_t c, std::uint32_t p) {
    const auto places = nodes_of(graph.cells[c].place);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t number = gluing.nodes[std::size_t{4} * p + i];
      copies.push_back({places[i], number});
    }
  });
  std::sort(copies.begin(), copies.end(), copy_before);
  std::vector<std::uint32_t> order(gluing.nodes.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const bool repeated = i > 0 && copies[i].number == copies[i - 1].number;
    if (!repeated) {
      mesh.rest_positions.push_back(position(graph.lattice, copies[i].place));
      mesh.num_corners += copies[i].place.centre ? 0 : 1;
    }
    order[copies[i].number] = static_cast<std::uint32_t>(mesh.rest_positions.size() - 1);
  }
  return order;
}

// Returns the tetrahedron of each piece with a copy, (num_pieces).
std::vector<std::uint32_t> add_tets(const PieceGraph& graph, const Gluing& gluing,
                                    const std::vector<std::uint32_t>& order, SplitLattice& split) {
  TetMesh& mesh = split.lattice.mesh;
  std::vector<std::uint32_t> tets(gluing.copy.size(), PieceIndex::kNone);
  for_each_copy(graph, gluing, [&](std::size_t c, std::uint32_t p) {
    const CellPieces& cell = graph.cells[c];
    std::array<std::uint32_t, 4> ids;
    for (std::size_t i = 0; i < 4; ++i) ids[i] = order[gluing.nodes[std::size_t{4} * p + i]];
    tets[p] = static_cast<std::uint32_t>(mesh.tets.size());
    mesh.tets.push_back(ids);
    mesh.fill.push_back(gluing.fill[p]);
    mesh.orientation.push_back(static_cast<std::uint8_t>(cell.place.orientation));
    split.lattice.keys.push_back(graph.keys[c]);
    split.parts.push_back(cell.pieces[p - graph.first_piece[c]].part);
  });
  return tets;
}

PieceIndex make_index(PieceGraph& graph, const Gluing& gluing,
                      const std::vector<std::uint32_t>& tets, int samples) {
  PieceIndex index;
  index.samples = samples;
  index.labels.resize(graph.cells.size());
  for (std::size_t c = 0; c < graph.cells.size(); ++c) {
    CellPieces& cell = graph.cells[c];
    for (const Piece& piece : cell.pieces) index.parts.push_back(piece.part);
    if (cell.pieces.size() > 1) index.labels[c] = std::move(cell.labels);
  }
  for (const std::uint32_t copy : gluing.copy) {
    index.tets.push_back(copy == Gluing::kNone ? PieceIndex::kNone : tets[copy]);
  }
  index.keys = std::move(graph.keys);
  index.first_piece = std::move(graph.first_piece);
  return index;
}

void count_cells(SplitLattice& split) {
  const auto& keys = split.lattice.keys;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    const bool first = t == 0 || keys[t] != keys[t - 1];
    split.report.num_cells += first ? 1 : 0;
    const bool second = t > 0 && !first && (t == 1 || keys[t] != keys[t - 2]);
    split.report.num_split_cells += second ? 1 : 0;
  }
}

}  // namespace

void find_components(SplitLattice& split) {
  split.components.clear();
  const TetMesh& mesh = split.lattice.mesh;
  DisjointSets bodies(mesh.rest_positions.size());
  for (const auto& tet : mesh.tets) {
    for (std::size_t i = 1; i < 4; ++i) bodies.join(tet[0], tet[i]);
  }
  std::vector<std::uint32_t> numbers(mesh.rest_positions.size(), PieceIndex::kNone);
  std::uint32_t count = 0;
  for (const auto& tet : mesh.tets) {
    std::uint32_t& number = numbers[bodies.find(tet[0])];
    if (number == PieceIndex::kNone) number = count++;
    split.components.push_back(number);
  }
  split.report.num_components = count;
}

SplitLattice make_split_lattice(const Shape& shape, double spacing, const SplitSettings& settings) {
  const int samples = choose_samples(shape, spacing, settings.samples);
  PieceGraph graph = make_piece_graph(shape, spacing, samples, settings.part);
  const Gluing gluing = glue_pieces(graph, settings.crumb);
  SplitLattice split;
  split.lattice.lattice = graph.lattice;
  TetMesh& mesh = split.lattice.mesh;
  for (int o = 0; o < kNumOrientations; ++o) mesh.edge_matrices.push_back(edge_matrix(o) * spacing);
  const std::vector<std::uint32_t> order = add_nodes(graph, gluing, mesh);
  const std::vector<std::uint32_t> tets = add_tets(graph, gluing, order, split);
  split.index = make_index(graph, gluing, tets, samples);
  split.report.num_joined = gluing.num_joined;
  split.report.num_dropped = gluing.num_dropped;
  find_components(split);
  count_cells(split);
  return split;
}

}  // namespace sinew::mesh
