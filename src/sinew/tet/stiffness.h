// The stiffness matrix of the tissue, assembled at rest or as it is deformed: what the multigrid
// cycle of the implicit solver is built from.
//
// Source: docs/theory/implicit.md, equations (9) and (16).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/solver/block_matrix.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// What multiplies the parts of the matrix.
struct MatrixFactors {
  double inertia = 0;             // on the masses, 1/s^2
  std::vector<double> stiffness;  // (num_bodies) on the stiffness

  friend bool operator==(const MatrixFactors&, const MatrixFactors&) = default;
};

// Where the blocks of elements go in the rows of the matrix; of a model, once.
struct StiffnessPlan {
  std::vector<std::uint32_t> first, columns;         // as in solver::BlockEntries
  std::vector<std::uint16_t> diagonal;               // (num_nodes) place in the row
  std::vector<std::array<std::uint16_t, 16>> slots;  // (num_tets) of corners i, j: 4 i + j
  std::vector<std::uint32_t> mirrors;                // (num_entries) where (j, i) is, of (i, j)

  std::size_t bytes() const {
    return 4 * (first.size() + columns.size() + mirrors.size()) + 2 * diagonal.size() +
           32 * slots.size();
  }
};
StiffnessPlan make_stiffness_plan(const Model& model);

// entries = inertia M + stiffness K, K of small strains at rest, one row a node; symmetric to the
// last bit.
void assemble(const Model& model, const StiffnessPlan& plan, const MatrixFactors& factors,
              solver::BlockEntries& entries);

// The same with K of small strains on top of `positions` (num_nodes, m) with their fibres' tension;
// every element's part is positive semidefinite.
void assemble(const Model& model, const StiffnessPlan& plan, const MatrixFactors& factors,
              const KernelInput& input, const Field3d& positions, solver::BlockEntries& entries);

}  // namespace sinew::tet
