// A multigrid V-cycle on the hierarchy of BCC lattices: an approximate inverse of a stiffness
// matrix, symmetric and positive definite, at the cost of a few products with it. For L-BFGS as the
// initial inverse and for conjugate gradients as the preconditioner.
//
// Source: docs/theory/implicit.md, equation (14). BCC(2h) nests in BCC(h) (coarsening.h); the
// coarse matrices are P^T A P; each level is smoothed by a Chebyshev polynomial of the block-Jacobi
// iteration, the same before and after the coarse correction; the coarsest level is factorised.
//
// Nodes without a lattice take part on the finest level only: they are smoothed. Where no node has
// one and there are too many for a factorisation, the cycle is a smoother of twice the degree.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"
#include "sinew/solver/coarsening.h"

namespace sinew::solver {

struct MultigridSettings {
  int smoothing_degree = 2;             // of the polynomial, before and again after; >= 1
  double smoothing_range = 8;           // it damps eigenvalues in [largest / range, largest]; > 1
  std::size_t most_coarse_nodes = 120;  // go on coarsening above this
  int most_levels = 20;
  Storage storage = Storage::kShort;  // of the levels' matrices; the coarse ones are exact products
};

// Scratch of a cycle; made by its first use. One a thread of control.
struct MultigridWorkspace {
  struct Level {
    Field3f b, x, other;
  };
  std::vector<Level> levels;
  std::vector<double> coarsest;

  std::size_t bytes() const;
};

class Multigrid {
 public:
  // `places` is (num_nodes) or empty (no lattice at all); `held` is (num_nodes) or empty: nodes
  // that do not move, whose rows and columns are taken out. The matrix must be symmetric; where it
  // is only semidefinite (a free body without mass) the factorisation is shifted by 1e-6 of the
  // diagonal. The entries are copied: they may be freed afterwards.
  Multigrid(const BlockEntries& fine, const std::vector<LatticePlace>& places,
            const std::vector<char>& held, const MultigridSettings& settings = {});
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;
  Multigrid& operator=(Multigrid&&) noexcept;

  // The same matrix with other values: keeps the hierarchy. Precondition: the same pattern.
  void update(const BlockEntries& fine);

  // z = V r; z is zero at held nodes, whatever r is there. The padding of r must be zero.
  void apply(const Field3f& r, Field3f& z, MultigridWorkspace& workspace) const;

  std::size_t num_levels() const;
  std::size_t num_nodes(std::size_t level) const;
  std::size_t bytes() const;  // without the workspace

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::solver
