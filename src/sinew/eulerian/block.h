// A body's band spread over a dense box of nodes: what the loops of a step run over, by fixed
// strides instead of searches. Scratch, made from the state at the beginning of each step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/grid.h"
#include "sinew/eulerian/state.h"

namespace sinew::eulerian {

// Three numbers at every node of a block, by component.
struct NodeField {
  std::array<std::vector<double>, 3> c;
  void resize(std::size_t n) {
    for (auto& values : c) values.assign(n, 0.0);
  }
  Vec3d operator[](std::size_t n) const { return {c[0][n], c[1][n], c[2][n]}; }
  void set(std::size_t n, const Vec3d& v) { c[0][n] = v.x, c[1][n] = v.y, c[2][n] = v.z; }
};

struct Block {
  Grid grid;                            // of the box: `low` is the position of its first node
  std::array<int, 3> place{};           // of its first node in the body's grid
  std::size_t dy = 1, dz = 1;           // strides; dx = 1
  std::array<std::size_t, 8> corner{};  // of a cell's nodes from its lowest, x fastest
  std::vector<std::uint32_t> band;      // nodes with material, increasing
  std::vector<std::uint8_t> known;      // (num_nodes) 1: in the band
  NodeField X;                          // material coordinates, m
  NodeField v;                          // m/s
  std::vector<double> phi;              // (num_nodes) rest distance of X, m

  std::size_t size() const { return known.size(); }
};

// `margin` nodes are left free around the band.
void load(const Grid& grid, const BodyState& state, int margin, Block& block);
void store(const Grid& grid, const Block& block, BodyState& state);

inline std::array<int, 3> place_of(const Block& block, std::size_t node) {
  return {static_cast<int>(node % block.dy), static_cast<int>(node % block.dz / block.dy),
          static_cast<int>(node / block.dz)};
}
inline Vec3d position_of(const Block& block, std::size_t node) {
  return node_position(block.grid, place_of(block, node));
}
// The same node or cell in the body's grid.
inline std::uint32_t to_grid(const Grid& grid, const Block& block, std::size_t node) {
  const auto p = place_of(block, node);
  return node_index(grid, p[0] + block.place[0], p[1] + block.place[1], p[2] + block.place[2]);
}

// A position split into its cell's lowest node and the fractions within it. Places outside the box
// are moved to its border.
struct Spot {
  std::size_t node = 0;
  Vec3d fraction{};
};
Spot find_spot(const Block& block, const Vec3d& x);

// Trilinear at a place; the corners that are not known are left out, and the rest is scaled.
// False where none is known.
bool interpolate(const Block& block, const NodeField& field, const Vec3d& x, Vec3d& value);
// Cubic Lagrange where all 64 nodes are known, else trilinear.
bool interpolate_cubic(const Block& block, const NodeField& field, const Vec3d& x, Vec3d& value);

}  // namespace sinew::eulerian
