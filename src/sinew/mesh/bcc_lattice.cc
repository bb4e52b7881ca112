#include "sinew/mesh/bcc_lattice.h"

#include <algorithm>
#include <cmath>

namespace sinew::mesh {
namespace {

struct FaceAxes {
  int normal, u, v;  // right-handed
};

FaceAxes axes_of(int orientation) {
  const int d = orientation / 4;
  return {d, (d + 1) % 3, (d + 2) % 3};
}

// Corners of a face in turn, as steps along u and v; edge m runs from corner m to corner m + 1.
constexpr std::array<std::array<int, 2>, 4> kFaceCorners = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

}  // namespace

BccLattice make_lattice(const Bounds& box, double spacing, int margin) {
  BccLattice lattice{{}, spacing, {}};
  for (std::size_t d = 0; d < 3; ++d) {
    const double extent = box.high[d] - box.low[d];
    const int inner = std::max(1, static_cast<int>(std::ceil(extent / spacing - 1e-9)));
    lattice.cells[d] = inner + 2 * margin;
    const double middle = 0.5 * (box.low[d] + box.high[d]);
    lattice.origin[d] = middle - 0.5 * spacing * lattice.cells[d];
  }
  return lattice;
}

Vec3d position(const BccLattice& lattice, const LatticeNode& node) {
  const double shift = node.centre ? 0.5 : 0.0;
  return lattice.origin +
         lattice.spacing * Vec3d{node.cell[0] + shift, node.cell[1] + shift, node.cell[2] + shift};
}

std::array<LatticeNode, 4> nodes_of(const LatticeTet& tet) {
  const FaceAxes axes = axes_of(tet.orientation);
  const int edge = tet.orientation % 4;
  Cell next = tet.cell;
  ++next[axes.normal];
  const auto corner = [&](int m) {
    Cell c = next;  // the face is the lower face of the next cube
    c[axes.u] += kFaceCorners[m % 4][0];
    c[axes.v] += kFaceCorners[m % 4][1];
    return LatticeNode{c, false};
  };
  return {corner(edge), corner(edge + 1), LatticeNode{tet.cell, true}, LatticeNode{next, true}};
}

Mat3d edge_matrix(int orientation) {
  const BccLattice unit{{0, 0, 0}, 1, {2, 2, 2}};
  const auto nodes = nodes_of({{0, 0, 0}, orientation});
  const Vec3d x0 = position(unit, nodes[0]);
  return {{position(unit, nodes[1]) - x0, position(unit, nodes[2]) - x0,
           position(unit, nodes[3]) - x0}};
}

LatticeTet find_tet(const BccLattice& lattice, const Vec3d& x) {
  Cell cell;
  Vec3d offset;  // from the centre of the cube, in spacings, in [-1/2, 1/2]
  for (std::size_t d = 0; d < 3; ++d) {
    const double t = (x[d] - lattice.origin[d]) / lattice.spacing;
    cell[d] = static_cast<std::int32_t>(std::floor(t));
    offset[d] = t - cell[d] - 0.5;
  }
  // The face that the point is nearest to, then the edge of that face.
  std::size_t d = 0;
  for (std::size_t e = 1; e < 3; ++e) {
    if (std::abs(offset[e]) > std::abs(offset[d])) d = e;
  }
  if (offset[d] < 0) --cell[d];
  const std::size_t u = (d + 1) % 3;
  const std::size_t v = (d + 2) % 3;
  const bool along_u = std::abs(offset[v]) >= std::abs(offset[u]);
  int edge = 0;
  if (along_u) {
    edge = offset[v] < 0 ? 0 : 2;
  } else {
    edge = offset[u] < 0 ? 3 : 1;
  }
  return {cell, static_cast<int>(d) * 4 + edge};
}

std::uint64_t key_of(const BccLattice& lattice, const LatticeTet& tet) {
  const auto n = [&](std::size_t d) { return static_cast<std::uint64_t>(lattice.cells[d]); };
  const auto c = [&](std::size_t d) { return static_cast<std::uint64_t>(tet.cell[d]); };
  return ((c(2) * n(1) + c(1)) * kNumOrientations + static_cast<std::uint64_t>(tet.orientation)) *
             n(0) +
         c(0);
}

}  // namespace sinew::mesh
