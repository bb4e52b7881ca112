#include "sinew/mesh/embedding.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/mesh/key_table.h"

namespace sinew::mesh {

std::array<double, 4> compute_weights(const TetMesh& mesh, std::size_t tet, const Vec3d& x) {
  const Mat3d& Dm = mesh.edge_matrices[mesh.orientation[tet]];
  const Vec3d b = inverse(Dm) * (x - mesh.rest_positions[mesh.tets[tet][0]]);
  return {1 - b.x - b.y - b.z, b.x, b.y, b.z};
}

double outsideness(const std::array<double, 4>& weights) {
  double worst = 0;
  for (const double w : weights) worst = std::max(worst, -w);
  return worst;
}

namespace {

// Of the tetrahedra around a point, the one that has to extrapolate least. Only needed for the few
// points that rounding puts into a cell that was left out as empty.
std::size_t find_nearby(const LatticeMesh& mesh, const KeyTable& table, const Vec3d& x) {
  std::size_t best = mesh.keys.size();
  double least = std::numeric_limits<double>::max();
  const Cell home = find_tet(mesh.lattice, x).cell;
  for (std::int32_t n = 0; n < 27; ++n) {
    const Cell cell{home[0] + n % 3 - 1, home[1] + n / 3 % 3 - 1, home[2] + n / 9 - 1};
    for (int o = 0; o < kNumOrientations; ++o) {
      const std::size_t tet = table.find(key_of(mesh.lattice, {cell, o}));
      if (tet == mesh.keys.size()) continue;
      const double outside = outsideness(compute_weights(mesh.mesh, tet, x));
      if (outside < least) least = outside, best = tet;
    }
  }
  return best;
}

}  // namespace

std::vector<EmbeddedPoint> embed(const LatticeMesh& mesh, const std::vector<Vec3d>& points) {
  std::vector<EmbeddedPoint> result;
  result.reserve(points.size());
  const KeyTable table(mesh.keys);
  for (const Vec3d& x : points) {
    std::size_t tet = table.find(key_of(mesh.lattice, find_tet(mesh.lattice, x)));
    if (tet == mesh.keys.size()) tet = find_nearby(mesh, table, x);
    if (tet == mesh.keys.size()) {
      throw std::invalid_argument(fmt::format(
          "the part of its surface at ({:.4g}, {:.4g}, {:.4g}) m is smaller than a cell "
          "of the lattice; use a smaller resolution",
          x.x, x.y, x.z));
    }
    result.push_back({static_cast<std::uint32_t>(tet), compute_weights(mesh.mesh, tet, x)});
  }
  return result;
}

}  // namespace sinew::mesh
