#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/mesh/key_table.h"
#include "sinew/mesh/split_lattice.h"

namespace sinew::mesh {
namespace {

constexpr std::uint32_t kNone = PieceIndex::kNone;

class Locator {
 public:
  explicit Locator(const SplitLattice& split)
      : split_(split),
        index_(split.index),
        lattice_(split.lattice.lattice),
        table_(split.index.keys) {}

  // The tetrahedron for a point; kNone: none is near. `part` null: of any part.
  std::uint32_t find(const Vec3d& x, const std::uint16_t* part) const {
    const std::uint32_t tet = find_in(find_tet(lattice_, x), x, part);
    return tet != kNone ? tet : find_nearby(x, part);
  }

 private:
  std::uint32_t find_in(const LatticeTet& place, const Vec3d& x, const std::uint16_t* part) const;
  std::uint32_t find_nearby(const Vec3d& x, const std::uint16_t* part) const;
  std::uint32_t find_nearest_piece(std::size_t cell, const LatticeTet& place, const Vec3d& x,
                                   const std::uint16_t* part) const;

  bool is_usable(std::size_t piece, const std::uint16_t* part) const {
    return index_.tets[piece] != kNone && (part == nullptr || index_.parts[piece] == *part);
  }

  const SplitLattice& split_;
  const PieceIndex& index_;
  const BccLattice& lattice_;
  KeyTable table_;
};

// The grid's steps along x, y and z in a cell of spacing 1.
Mat3d grid_steps(int orientation) {
  const Mat3d Dm = edge_matrix(orientation);
  static_assert(kGridCorners == std::array<std::size_t, 4>{0, 2, 1, 3});
  return {{Dm.col(1), Dm.col(0) - Dm.col(1), Dm.col(2) - Dm.col(0)}};
}

// The nearest sample of a usable piece: in a box around the point that grows until there is one.
// Returns its piece's tetrahedron.
std::uint32_t Locator::find_nearest_piece(std::size_t cell, const LatticeTet& place, const Vec3d& x,
                                          const std::uint16_t* part) const {
  const int n = index_.samples;
  const Mat3d steps = grid_steps(place.orientation);
  const Vec3d start = position(lattice_, nodes_of(place)[0]);
  const Vec3d at = inverse(steps) * (x - start) * (n / lattice_.spacing);  // in samples
  std::uint32_t best = kNone;
  // Twice the box in which the first was found holds every nearer one.
  for (int reach = 1, last = 0; last == 0 && reach <= 4 * n; reach *= 2) {
    last = best != kNone ? 1 : 0;
    double least = std::numeric_limits<double>::max();
    const auto low = [&](std::size_t d) {
      return std::max(0, static_cast<int>(std::floor(at[d])) - reach + 1);
    };
    const auto high = [&](std::size_t d) { return static_cast<int>(std::floor(at[d])) + reach; };
    for (int i = low(0); i <= std::min(n, high(0)); ++i) {
      for (int j = low(1); j <= std::min(i, high(1)); ++j) {
        for (int k = low(2); k <= std::min(j, high(2)); ++k) {
          const std::uint16_t label = index_.labels[cell][node_index({i, j, k})];
          if (label == CellPieces::kOutside) continue;
          const std::size_t piece = index_.first_piece[cell] + label;
          if (!is_usable(piece, part)) continue;
          const Vec3d offset = steps * (Vec3d{double(i), double(j), double(k)} - at);
          if (dot(offset, offset) < least) least = dot(offset, offset), best = index_.tets[piece];
        }
      }
    }
  }
  return best;
}

std::uint32_t Locator::find_in(const LatticeTet& place, const Vec3d& x,
                               const std::uint16_t* part) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if (place.cell[d] < 0 || place.cell[d] >= lattice_.cells[d]) return kNone;
  }
  const std::size_t cell = table_.find(key_of(lattice_, place));
  if (cell == index_.keys.size()) return kNone;
  if (!index_.labels[cell].empty()) return find_nearest_piece(cell, place, x, part);
  const std::size_t piece = index_.first_piece[cell];
  return is_usable(piece, part) ? index_.tets[piece] : kNone;
}

// Of the cells around a point, the one that has to extrapolate least. Only needed for points of
// slivers that no sample saw, and where another part has the cell.
std::uint32_t Locator::find_nearby(const Vec3d& x, const std::uint16_t* part) const {
  std::uint32_t best = kNone;
  double least = std::numeric_limits<double>::max();
  const Cell home = find_tet(lattice_, x).cell;
  for (std::int32_t m = 0; m < 27; ++m) {
    const Cell cell{home[0] + m % 3 - 1, home[1] + m / 3 % 3 - 1, home[2] + m / 9 - 1};
    for (int o = 0; o < kNumOrientations; ++o) {
      const std::uint32_t tet = find_in({cell, o}, x, part);
      if (tet == kNone) continue;
      const double outside = outsideness(compute_weights(split_.lattice.mesh, tet, x));
      if (outside < least) least = outside, best = tet;
    }
  }
  return best;
}

}  // namespace

std::vector<EmbeddedPoint> embed(const SplitLattice& split, const std::vector<Vec3d>& points,
                                 const std::vector<std::uint16_t>& parts) {
  const Locator locator(split);
  std::vector<EmbeddedPoint> result;
  result.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d& x = points[i];
    const std::uint32_t tet = locator.find(x, parts.empty() ? nullptr : &parts[i]);
    if (tet == kNone) {
      throw std::invalid_argument(fmt::format(
          "no cell of the lattice is near the point ({:.4g}, {:.4g}, {:.4g}) m of its surface; use "
          "a smaller cell",
          x.x, x.y, x.z));
    }
    result.push_back({tet, compute_weights(split.lattice.mesh, tet, x)});
  }
  return result;
}

}  // namespace sinew::mesh
