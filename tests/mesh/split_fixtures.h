// Shapes and measures for tests of split lattices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "sinew/mesh/shape.h"
#include "sinew/mesh/split_lattice.h"

namespace sinew::mesh {

inline Shape unite(std::vector<Shape> parts) {
  return {Union{std::make_shared<const std::vector<Shape>>(std::move(parts))}};
}

inline double filled_volume(const TetMesh& mesh) {
  double volume = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    volume += mesh.fill[t] * determinant(mesh.edge_matrices[mesh.orientation[t]]) / 6;
  }
  return volume;
}

// Nodes - edges + faces - tetrahedra: 1 for a ball, 0 for a solid torus, added over components.
inline int euler_characteristic(const TetMesh& mesh) {
  std::set<std::array<std::uint32_t, 2>> edges;
  std::set<std::array<std::uint32_t, 3>> faces;
  std::set<std::array<std::uint32_t, 4>> tets;
  for (std::array<std::uint32_t, 4> tet : mesh.tets) {
    std::sort(tet.begin(), tet.end());
    tets.insert(tet);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        edges.insert({tet[i], tet[j]});
        for (std::size_t k = j + 1; k < 4; ++k) faces.insert({tet[i], tet[j], tet[k]});
      }
    }
  }
  return static_cast<int>(mesh.rest_positions.size()) - static_cast<int>(edges.size()) +
         static_cast<int>(faces.size()) - static_cast<int>(tets.size());
}

}  // namespace sinew::mesh
