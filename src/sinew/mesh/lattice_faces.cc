#include "sinew/mesh/lattice_faces.h"

#include <algorithm>

namespace sinew::mesh {
namespace {

FaceNeighbor make_neighbor(int orientation, std::size_t face) {
  const BccLattice lattice{{0, 0, 0}, 1, {8, 8, 8}};
  const LatticeTet tet{{4, 4, 4}, orientation};
  const auto nodes = nodes_of(tet);
  Vec3d beyond{};  // a point past the face: its middle, and a little farther from the fourth node
  FaceNeighbor result{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double weight = i == face ? -0.1 : 1.1 / 3;
    beyond += position(lattice, nodes[i]) * weight;
    if (i != face) result.mine[count++] = i;
  }
  const LatticeTet other = find_tet(lattice, beyond);
  const auto others = nodes_of(other);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto it = std::find(others.begin(), others.end(), nodes[result.mine[k]]);
    result.theirs[k] = static_cast<std::size_t>(it - others.begin());
  }
  for (std::size_t d = 0; d < 3; ++d) result.step[d] = other.cell[d] - tet.cell[d];
  result.orientation = other.orientation;
  return result;
}

}  // namespace

const FaceNeighbor& neighbor_across(int orientation, std::size_t face) {
  using Table = std::array<std::array<FaceNeighbor, 4>, kNumOrientations>;
  static const Table kTable = [] {
    Table table;
    for (std::size_t o = 0; o < table.size(); ++o) {
      for (std::size_t f = 0; f < 4; ++f) table[o][f] = make_neighbor(static_cast<int>(o), f);
    }
    return table;
  }();
  return kTable[static_cast<std::size_t>(orientation)][face];
}

}  // namespace sinew::mesh
