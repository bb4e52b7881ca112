// The connected pieces of a shape's material inside one tetrahedron of the lattice. For lattices
// whose cells are duplicated where they hold several (split_lattice.h).
//
// A cell is sampled on a grid (tet_grid.h) that is made finer until it is plain: all inside samples
// hang together, and no thin sheet, finger or gap can hide between samples, as the normals around
// every sub-tetrahedron that the surface may cross do not oppose each other, and no hole leads
// through it. Two neighbouring
// inside samples hang together where the edge between them stays inside; that is certain where the
// balls of their distances cover it, and is followed along the edge otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/vec.h"
#include "sinew/mesh/bcc_lattice.h"
#include "sinew/mesh/piece_topology.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/tet_grid.h"

namespace sinew::mesh {

// Which of several touching parts a point inside the shape belongs to; material of different parts
// never hangs together.
using PartFunction = std::function<std::uint16_t(const Vec3d&)>;

struct Piece {
  double fill = 0;          // part of the cell, [0, 1]
  std::uint16_t part = 0;   // 0 without a part function
  std::uint16_t whole = 0;  // the same for sectors of what hangs together (cut_rings.h)
  PieceTopology topology;
};

struct CellPieces {
  bool is_cut() const { return !pieces.empty() && pieces.back().whole + 1U != pieces.size(); }

  static constexpr std::uint16_t kOutside = 0xffff;
  LatticeTet place;
  int n = 0;                          // of its grid; 0: one piece fills the cell, without samples
  std::vector<std::uint16_t> labels;  // (num_nodes) the sample's piece, or kOutside
  std::vector<Piece> pieces;          // none: the cell is empty
};

// The grid's corner w0 to w3 as a node of nodes_of(tet): the two corners of the cubes are w0 and
// w2, which keeps all sub-tetrahedra of the lattice's own shape.
inline constexpr std::array<std::size_t, 4> kGridCorners = {0, 2, 1, 3};

// Samples cells one after the other in memory of its own: one for each thread.
class CellSampler {
 public:
  // `finest` as of tet_grid; `part` may be empty. Both objects must outlive the sampler.
  CellSampler(const Shape& shape, const BccLattice& lattice, int finest, const PartFunction& part);

  // On a grid of at least `least` cuts; 0: a cell deep inside may go without samples.
  CellPieces sample(const LatticeTet& place, int least);

 private:
  void start(const LatticeTet& place);
  Vec3d position_of(std::size_t node) const;
  void evaluate(std::size_t node);
  void sample_all();
  void refine();
  bool can_hide_features() const;
  bool stays_inside(std::size_t a, std::size_t b) const;
  std::size_t label();
  bool is_one_part();
  std::vector<Piece> measure(std::size_t num_pieces) const;

  const Shape& shape_;
  const BccLattice& lattice_;
  const PartFunction& part_;
  int finest_;
  const TetGrid* grid_ = nullptr;
  std::array<std::array<std::int32_t, 3>, 4> corners_{};  // w0 to w3 in half spacings
  std::vector<double> distances_, coarse_distances_;      // (num_nodes) m
  std::vector<Vec3d> normals_, coarse_normals_;           // (num_nodes) zero where far from zero
  std::vector<std::uint16_t> parts_;                      // (num_nodes) of inside samples
  DisjointSets sets_;                                     // of inside samples
  std::vector<std::uint16_t> labels_;                     // (num_nodes)
};

}  // namespace sinew::mesh
