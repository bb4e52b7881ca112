// The next coarser BCC lattice under a set of nodes, and the interpolation between the two. For the
// multigrid hierarchy.
//
// BCC(2h) nests in BCC(h): a node of the fine lattice is a node of the coarse one or the midpoint
// of one of its edges (corner-corner, centre-centre or corner-centre), so that linear interpolation
// takes two coarse nodes with weight 1/2 each (twice the same one where they coincide). Coarse
// nodes exist where a fine node needs them. A coarse node whose fine nodes fall into several parts,
// joined by no matrix entry, exists once for each part: gaps are not bridged.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"

namespace sinew::solver {

// A node's place in half spacings of its body's lattice: corner (i, j, k) of the cubes is at
// (2i, 2j, 2k), the centre of cube (i, j, k) at (2i + 1, 2j + 1, 2k + 1).
struct LatticePlace {
  static constexpr std::int32_t kNoLattice = -1;
  std::int32_t body = kNoLattice;  // any numbering from 0; kNoLattice: a node of no lattice
  std::int32_t i = 0, j = 0, k = 0;

  friend bool operator==(const LatticePlace&, const LatticePlace&) = default;
};

// The two ends, in the coarse lattice, of the edge whose midpoint is the place (twice the place
// itself where that is a coarse node); in half spacings of the fine lattice. Precondition: i, j, k
// have equal parity.
std::array<LatticePlace, 2> parents_of(const LatticePlace& place);

// x_fine[n] = (x_coarse[parents[n][0]] + x_coarse[parents[n][1]]) / 2
struct Interpolation {
  std::size_t num_coarse = 0;
  std::vector<std::array<std::uint32_t, 2>> parents;  // (num_fine); num_coarse: interpolates zero
  std::vector<std::uint32_t> first_child;             // (num_coarse + 1)
  std::vector<std::uint32_t> children;  // fine nodes of a coarse one; one that coincides is twice

  std::size_t bytes() const;
};

struct Coarsening {
  Interpolation interpolation;
  std::vector<LatticePlace> places;  // (num_coarse) in half spacings of the coarse lattice
};

// Coarse nodes are ordered as lattice meshes are: by body, corners before centres, by z, y, x.
// `held` nodes, and nodes without a lattice, interpolate zero. Throws std::logic_error for a place
// of mixed parity. Both lists are (num_rows); held may be empty.
Coarsening make_coarsening(const BlockEntries& matrix, const std::vector<LatticePlace>& places,
                           const std::vector<char>& held);

// fine += P coarse
void add_interpolated(const Interpolation& P, const Field3f& coarse, Field3f& fine);
// coarse = P^T fine
void restrict_to_coarse(const Interpolation& P, const Field3f& fine, Field3f& coarse);

// P^T A P
BlockEntries compute_coarse_entries(const BlockEntries& fine, const Interpolation& P);

}  // namespace sinew::solver
