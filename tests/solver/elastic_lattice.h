// Linear elasticity on a lattice mesh: the matrices that the tests of the solvers share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/mesh/tet_mesh.h"
#include "sinew/solver/block_matrix.h"
#include "sinew/solver/coarsening.h"

namespace sinew::solver {

struct ElasticBody {
  BlockEntries entries;
  std::vector<LatticePlace> places;
  std::vector<Vec3d> positions;  // m
  std::size_t num_tets = 0;
};

// Each row has its node and the nodes of all tetrahedra round it.
inline BlockEntries make_pattern(const mesh::TetMesh& mesh) {
  const std::size_t n = mesh.rest_positions.size();
  std::vector<std::vector<std::uint32_t>> rows(n);
  for (const auto& tet : mesh.tets) {
    for (const std::uint32_t a : tet) rows[a].insert(rows[a].end(), tet.begin(), tet.end());
  }
  BlockEntries e;
  e.first.push_back(0);
  for (std::vector<std::uint32_t>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    e.columns.insert(e.columns.end(), row.begin(), row.end());
    e.first.push_back(static_cast<std::uint32_t>(e.columns.size()));
  }
  e.blocks.resize(e.columns.size());
  return e;
}

inline Block& block_at(BlockEntries& e, std::uint32_t row, std::uint32_t column) {
  const auto begin = e.columns.begin() + e.first[row];
  const auto end = e.columns.begin() + e.first[row + 1];
  return e
      .blocks[static_cast<std::size_t>(std::lower_bound(begin, end, column) - e.columns.begin())];
}

// Stiffness of mu = 1 Pa and the given bulk modulus, plus `mass` on the diagonal of each node.
inline ElasticBody make_elastic_body(const mesh::LatticeMesh& lattice_mesh, double kappa,
                                     double mass = 0, std::int32_t body = 0) {
  const mesh::TetMesh& mesh = lattice_mesh.mesh;
  ElasticBody result{make_pattern(mesh), {}, mesh.rest_positions, mesh.tets.size()};
  const double mu = 1, lambda = kappa - 2.0 / 3.0 * mu;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const Mat3d Dm = mesh.edge_matrices[mesh.orientation[t]];
    const double volume = determinant(Dm) / 6 * mesh.fill[t];
    const Mat3d g = transpose(inverse(Dm));
    const std::array<Vec3d, 4> gradients = {-(g.col(0) + g.col(1) + g.col(2)), g.col(0), g.col(1),
                                            g.col(2)};
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        const Mat3d K = volume * (lambda * Mat3d::outer(gradients[a], gradients[b]) +
                                  mu * Mat3d::outer(gradients[b], gradients[a]) +
                                  mu * dot(gradients[a], gradients[b]) * Mat3d::identity());
        Block& block = block_at(result.entries, mesh.tets[t][a], mesh.tets[t][b]);
        for (std::size_t c = 0; c < 9; ++c) block[c] += static_cast<float>(K(c / 3, c % 3));
      }
    }
  }
  const mesh::BccLattice& lattice = lattice_mesh.lattice;
  for (std::uint32_t n = 0; n < mesh.rest_positions.size(); ++n) {
    Block& block = block_at(result.entries, n, n);
    for (std::size_t d = 0; d < 3; ++d) block[4 * d] += static_cast<float>(mass);
    const Vec3d x = (mesh.rest_positions[n] - lattice.origin) * (2 / lattice.spacing);
    const auto place = [](double v) { return static_cast<std::int32_t>(std::lround(v)); };
    result.places.push_back({body, place(x.x), place(x.y), place(x.z)});
  }
  return result;
}

// A cube of edge 1 m, `cells` of them along an edge, somewhat shrunk so that the mesh ends there.
inline mesh::LatticeMesh make_cube_mesh(int cells) {
  const double edge = 1 - 1e-3 / cells;
  return mesh::make_lattice_mesh({mesh::Box{{0, 0, 0}, {edge, edge, edge}}}, 1.0 / cells);
}

// 1 at nodes with x below the limit.
inline std::vector<char> hold_below(const ElasticBody& body, double limit) {
  std::vector<char> held;
  for (const Vec3d& x : body.positions) held.push_back(x.x < limit ? 1 : 0);
  return held;
}

// Numbers in [-1, 1], always the same, zero at held nodes.
inline Field3f make_noise(std::size_t n, const std::vector<char>& held, double seed = 0) {
  Field3f field(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!held.empty() && held[i] != 0) continue;
    const double t = static_cast<double>(i + 1) + seed;
    field.set(i,
              {static_cast<float>(std::sin(12.9898 * t)), static_cast<float>(std::sin(78.233 * t)),
               static_cast<float>(std::sin(3.7 * t * t))});
  }
  return field;
}

}  // namespace sinew::solver
