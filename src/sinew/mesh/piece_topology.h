// How what is marked on the grid of a lattice cell hangs together: Euler characteristics, nodes -
// edges + triangles - tetrahedra with all corners marked. For finding the holes that a lattice of
// one copy a piece would close (star_cuts.h).
//
// 1 for what has neither holes nor cavities, one less for each hole through it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/mesh/tet_grid.h"

namespace sinew::mesh {

// The six edges of a tetrahedron by the corners w0 to w3 of its grid.
inline constexpr std::array<std::array<std::size_t, 2>, 6> kTetEdges = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// Euler characteristics of what a piece has on each part of its cell, borders included. Defaults:
// the whole cell.
struct PieceTopology {
  int euler = 1;
  std::array<std::int16_t, 4> faces = {1, 1, 1, 1};       // opposite to w0 to w3
  std::array<std::int8_t, 6> edges = {1, 1, 1, 1, 1, 1};  // kTetEdges
  std::array<std::int8_t, 4> corners = {1, 1, 1, 1};      // w0 to w3: 1 inside, 0 not
};

// For each of `count` labels that the grid's nodes may have; higher ones count for nothing.
std::vector<PieceTopology> measure_topology(const TetGrid& grid,
                                            std::span<const std::uint16_t> labels,
                                            std::size_t count);

// Of a triangle cut into n^2 along its edges whose nodes (i, j), i + j <= n, have the labels
// [triangle_index(n, i, j)]: the Euler characteristic of each of `count` labels.
std::vector<int> measure_triangle(int n, std::span<const std::uint16_t> labels, std::size_t count);
inline std::size_t triangle_index(int n, int i, int j) {
  const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
  return row * (2 * static_cast<std::size_t>(n) + 3 - row) / 2 + column;
}

}  // namespace sinew::mesh
