#include "sinew/mesh/isosurface.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/surface_distance.h"

namespace sinew::mesh {
namespace {

// Where the shape's surface crosses the segment, by the Illinois variant of regula falsi.
Vec3d find_crossing(const Shape& shape, const Vec3d& a, double fa, const Vec3d& b, double fb) {
  double lo = 0, hi = 1;
  double t = fa / (fa - fb);
  for (int n = 0; n < 12; ++n) {
    t = (lo * fb - hi * fa) / (fb - fa);
    const double f = signed_distance(shape, a + (b - a) * t);
    if (f == 0) break;
    if ((f < 0) == (fb < 0)) {
      hi = t, fb = f, fa *= 0.5;
    } else {
      lo = t, fa = f, fb *= 0.5;
    }
    if (hi - lo < 1e-4) break;
  }
  return a + (b - a) * t;
}

class Marcher {
 public:
  Marcher(const Shape& shape, double spacing)
      : shape_(shape), lattice_(make_lattice(compute_bounds(shape), spacing, 1)) {
    const auto [nx, ny, nz] = lattice_.cells;
    corners_.resize(static_cast<std::size_t>(nx + 1) * (ny + 1) * (nz + 1));
    centres_.resize(static_cast<std::size_t>(nx) * ny * nz);
    for (std::int32_t k = 0; k <= nz; ++k) {
      for (std::int32_t j = 0; j <= ny; ++j) {
        for (std::int32_t i = 0; i <= nx; ++i) {
          sample({{i, j, k}, false});
          if (i < nx && j < ny && k < nz) sample({{i, j, k}, true});
        }
      }
    }
  }

  Surface run() {
    const auto [nx, ny, nz] = lattice_.cells;
    for (std::int32_t k = 0; k < nz; ++k) {
      for (std::int32_t j = 0; j < ny; ++j) {
        for (std::int32_t i = 0; i < nx; ++i) {
          if (!is_crossed({i, j, k})) continue;
          for (int o = 0; o < kNumOrientations; ++o) {
            Cell next{i, j, k};
            if (++next[o / 4] >= lattice_.cells[o / 4]) continue;
            march({{i, j, k}, o});
          }
        }
      }
    }
    return std::move(surface_);
  }

 private:
  using Edge = std::pair<std::size_t, std::size_t>;  // corners of a tetrahedron

  double& value(const LatticeNode& node) {
    const std::size_t nx = lattice_.cells[0] + (node.centre ? 0 : 1);
    const std::size_t ny = lattice_.cells[1] + (node.centre ? 0 : 1);
    const std::size_t index =
        (static_cast<std::size_t>(node.cell[2]) * ny + node.cell[1]) * nx + node.cell[0];
    return node.centre ? centres_[index] : corners_[index];
  }
  void sample(const LatticeNode& node) {
    value(node) = signed_distance(shape_, position(lattice_, node));
  }

  // Whether the tetrahedra of a cell have nodes on both sides: its centre, those of the next cells,
  // and the corners of the faces between them.
  bool is_crossed(const Cell& cell) {
    const bool inside = value({cell, true}) < 0;
    for (std::size_t d = 0; d < 3; ++d) {
      Cell next = cell;
      if (++next[d] < lattice_.cells[d] && (value({next, true}) < 0) != inside) return true;
    }
    for (int c = 1; c < 8; ++c) {
      const Cell corner{cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)};
      if ((value({corner, false}) < 0) != inside) return true;
    }
    return false;
  }

  // A number for an edge: that of its first node, and where the other one lies in half spacings.
  std::uint64_t number_of(const LatticeNode& a, const LatticeNode& b) const {
    std::uint64_t node = 0, way = 0;
    for (std::size_t d = 3; d-- > 0;) {
      const std::int32_t from = 2 * a.cell[d] + (a.centre ? 1 : 0);
      const std::int32_t to = 2 * b.cell[d] + (b.centre ? 1 : 0);
      node = node * static_cast<std::uint64_t>(2 * lattice_.cells[d] + 2) +
             static_cast<std::uint64_t>(from);
      way = way * 5 + static_cast<std::uint64_t>(to - from + 2);
    }
    return node * 125 + way;
  }

  std::uint32_t vertex(LatticeNode a, LatticeNode b) {
    if (b < a) std::swap(a, b);
    const auto [it, added] = vertices_.try_emplace(
        number_of(a, b), static_cast<std::uint32_t>(surface_.positions.size()));
    if (added) {
      surface_.positions.push_back(
          find_crossing(shape_, position(lattice_, a), value(a), position(lattice_, b), value(b)));
    }
    return it->second;
  }

  void march(const LatticeTet& tet) {
    const auto nodes = nodes_of(tet);
    std::array<std::size_t, 4> in{}, out{};
    std::size_t num_in = 0, num_out = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      if (value(nodes[i]) < 0) {
        in[num_in++] = i;
      } else {
        out[num_out++] = i;
      }
    }
    if (num_in == 1) {
      const std::size_t i = in[0];
      emit(nodes, i, {{{i, out[0]}, {i, out[1]}, {i, out[2]}}});
    } else if (num_in == 3) {
      const std::size_t o = out[0];
      emit(nodes, in[0], {{{in[0], o}, {in[1], o}, {in[2], o}}});
    } else if (num_in == 2) {
      const Edge p{in[0], out[0]}, q{in[0], out[1]}, r{in[1], out[1]}, s{in[1], out[0]};
      emit(nodes, in[0], {p, q, r});
      emit(nodes, in[0], {p, r, s});
    }
  }

  // Adds the triangle through three cut edges, turned away from the node `inside`. The turn is told
  // by the middles of the edges: the cuts themselves may coincide.
  void emit(const std::array<LatticeNode, 4>& nodes, std::size_t inside,
            const std::array<Edge, 3>& edges) {
    std::array<std::uint32_t, 3> triangle;
    std::array<Vec3d, 3> middle;
    for (std::size_t k = 0; k < 3; ++k) {
      const LatticeNode& a = nodes[edges[k].first];
      const LatticeNode& b = nodes[edges[k].second];
      triangle[k] = vertex(a, b);
      middle[k] = 0.5 * (position(lattice_, a) + position(lattice_, b));
    }
    const Vec3d normal = cross(middle[1] - middle[0], middle[2] - middle[0]);
    const bool outward = dot(normal, middle[0] - position(lattice_, nodes[inside])) > 0;
    if (!outward) std::swap(triangle[1], triangle[2]);
    surface_.triangles.push_back(triangle);
  }

  const Shape& shape_;
  BccLattice lattice_;
  std::vector<double> corners_, centres_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertices_;  // by number_of
  Surface surface_;
};

}  // namespace

Surface make_isosurface(const Shape& shape, double spacing) {
  if (const auto* closed = std::get_if<ClosedMesh>(&shape.form)) return closed->surface->surface();
  return Marcher(shape, spacing).run();
}

}  // namespace sinew::mesh
