#include "sinew/mesh/cell_pieces.h"

#include <algorithm>
#include <cmath>

#include "sinew/mesh/fill.h"

namespace sinew::mesh {
namespace {

// No corner of a cell is farther than this from its middle: sqrt(5)/4 spacings.
constexpr double kCellRadius = 0.56;
// Edges between inside samples are followed in steps of at least this part of a spacing.
constexpr double kLeastStep = 1.0 / 64;
// Normals that turn by more than a right angle between neighbours: a gap, or something thin. Some
// slack lets the edges of boxes pass.
constexpr double kOpposed = -0.1;

}  // namespace

CellSampler::CellSampler(const Shape& shape, const BccLattice& lattice, int finest,
                         const PartFunction& part)
    : shape_(shape), lattice_(lattice), part_(part), finest_(finest) {}

void CellSampler::start(const LatticeTet& place) {
  const auto nodes = nodes_of(place);
  for (std::size_t c = 0; c < 4; ++c) {
    const LatticeNode& node = nodes[kGridCorners[c]];
    for (std::size_t d = 0; d < 3; ++d) corners_[c][d] = 2 * node.cell[d] + (node.centre ? 1 : 0);
  }
}

// From whole numbers, so that cells that share a sample ask at the same place to the last bit.
Vec3d CellSampler::position_of(std::size_t node) const {
  const std::array<int, 4> weights = weights_of(grid_->nodes[node], grid_->n);
  const double unit = lattice_.spacing / (2 * grid_->n);
  Vec3d x;
  for (std::size_t d = 0; d < 3; ++d) {
    std::int32_t sum = 0;
    for (std::size_t c = 0; c < 4; ++c) sum += weights[c] * corners_[c][d];
    x[d] = lattice_.origin[d] + unit * sum;
  }
  return x;
}

void CellSampler::evaluate(std::size_t node) {
  const DistanceSample s = sample_distance(shape_, position_of(node));
  distances_[node] = s.distance;
  normals_[node] = s.normal;
}

void CellSampler::sample_all() {
  distances_.resize(grid_->nodes.size());
  normals_.resize(grid_->nodes.size());
  for (std::size_t i = 0; i < distances_.size(); ++i) evaluate(i);
}

// Twice as fine. A sample is taken over from its parents where they tell that it is farther from
// the surface than an edge of the new grid.
void CellSampler::refine() {
  const double reach = lattice_.spacing / grid_->n;
  grid_ = &tet_grid(2 * grid_->n);
  distances_.swap(coarse_distances_);
  normals_.swap(coarse_normals_);
  distances_.resize(grid_->nodes.size());
  normals_.resize(grid_->nodes.size());
  for (std::size_t i = 0; i < distances_.size(); ++i) {
    const auto [p, q] = grid_->parents[i];
    const double a = coarse_distances_[p], b = coarse_distances_[q];
    const bool far = (a < 0) == (b < 0) && std::max(std::abs(a), std::abs(b)) >= reach;
    if (p == q || far) {
      distances_[i] = 0.5 * (a + b);
      normals_[i] = coarse_normals_[p];
    } else {
      evaluate(i);
    }
  }
}

bool CellSampler::can_hide_features() const {
  const double edge = lattice_.spacing / grid_->n;
  for (const auto& tet : grid_->tets) {
    double sum = 0, largest = 0;
    for (const std::uint16_t i : tet) {
      sum += distances_[i];
      largest = std::max(largest, std::abs(distances_[i]));
    }
    if (largest > edge || std::abs(sum) > 4 * kCellRadius * edge) continue;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (dot(normals_[tet[a]], normals_[tet[b]]) < kOpposed) return true;
      }
    }
  }
  return false;
}

bool CellSampler::stays_inside(std::size_t a, std::size_t b) const {
  const Vec3d start = position_of(a);
  const Vec3d way = position_of(b) - start;
  const double length = norm(way);
  const double end = length + distances_[b];
  const double least = kLeastStep * lattice_.spacing;
  double at = std::max(-distances_[a], least);
  while (at < end) {
    const double distance = signed_distance(shape_, start + way * (at / length));
    if (distance >= 0) return false;
    at += std::max(-distance, least);
  }
  return true;
}

// Returns the number of pieces; they are numbered in the order of their first samples.
std::size_t CellSampler::label() {
  const std::size_t num_nodes = grid_->nodes.size();
  sets_.reset(num_nodes);
  parts_.assign(num_nodes, 0);
  for (std::size_t i = 0; i < num_nodes; ++i) {
    if (part_ && distances_[i] < 0) parts_[i] = part_(position_of(i));
  }
  std::vector<std::array<std::uint16_t, 2>> unsure;
  const double longest = lattice_.spacing / grid_->n;
  for (const auto& edge : grid_->edges) {
    const auto [a, b] = edge;
    if (!(distances_[a] < 0 && distances_[b] < 0) || parts_[a] != parts_[b]) continue;
    if (distances_[a] + distances_[b] > -longest) {
      unsure.push_back(edge);
    } else {
      sets_.join(a, b);
    }
  }
  for (const auto& [a, b] : unsure) {
    if (sets_.find(a) != sets_.find(b) && stays_inside(a, b)) sets_.join(a, b);
  }
  std::uint16_t count = 0;
  labels_.assign(num_nodes, CellPieces::kOutside);
  for (std::size_t i = 0; i < num_nodes; ++i) {
    if (!(distances_[i] < 0)) continue;
    const std::size_t root = sets_.find(i);  // not after i
    labels_[i] = root == i ? count++ : labels_[root];
  }
  return count;
}

// Sums the sub-tetrahedra, each cut by its linear function; one that touches several pieces is
// shared among its inside corners.
std::vector<Piece> CellSampler::measure(std::size_t num_pieces) const {
  std::vector<Piece> pieces(num_pieces);
  const double whole = 1.0 / static_cast<double>(grid_->tets.size());
  for (const auto& tet : grid_->tets) {
    std::array<double, 4> values;
    int inside = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      values[c] = distances_[tet[c]];
      inside += values[c] < 0 ? 1 : 0;
    }
    if (inside == 0) continue;
    const double share = (inside == 4 ? 1 : fill_fraction(values)) * whole / inside;
    for (const std::uint16_t i : tet) {
      if (labels_[i] != CellPieces::kOutside) pieces[labels_[i]].fill += share;
    }
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] != CellPieces::kOutside) pieces[labels_[i]].part = parts_[i];
  }
  const std::vector<PieceTopology> topology = measure_topology(*grid_, labels_, num_pieces);
  for (std::size_t p = 0; p < num_pieces; ++p) {
    pieces[p].whole = static_cast<std::uint16_t>(p);
    pieces[p].topology = topology[p];
  }
  return pieces;
}

// Whether the cell's corners and middle are of one part.
bool CellSampler::is_one_part() {
  if (!part_) return true;
  grid_ = &tet_grid(kCoarsestGrid);
  const std::uint16_t middle = part_(position_of(node_index({3, 2, 1})));
  for (const GridNode& corner : {GridNode{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {4, 4, 4}}) {
    if (part_(position_of(node_index(corner))) != middle) return false;
  }
  parts_.assign(1, middle);
  return true;
}

CellPieces CellSampler::sample(const LatticeTet& place, int least) {
  CellPieces cell{place, 0, {}, {}};
  start(place);
  grid_ = &tet_grid(kCoarsestGrid);
  // The middle of a cell has the weights (1, 1, 1, 1) / 4.
  const double middle = signed_distance(shape_, position_of(node_index({3, 2, 1})));
  if (middle > kCellRadius * lattice_.spacing) return cell;
  if (least == 0 && middle < -kCellRadius * lattice_.spacing && is_one_part()) {
    cell.pieces.push_back({1, part_ ? parts_.front() : std::uint16_t{0}, 0, {}});
    return cell;
  }
  grid_ = &tet_grid(kCoarsestGrid);
  sample_all();
  while (true) {
    const bool finest = grid_->n == finest_;
    if (finest || (grid_->n >= least && !can_hide_features())) {
      cell.pieces = measure(label());
      const bool plain = cell.pieces.empty() ||
                         (cell.pieces.size() == 1 && cell.pieces.front().topology.euler == 1);
      if (finest || plain) break;
    }
    refine();
  }
  cell.n = grid_->n;
  if (!cell.pieces.empty()) cell.labels = labels_;
  return cell;
}

}  // namespace sinew::mesh
