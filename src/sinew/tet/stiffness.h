// The stiffness matrix of the tissue, assembled at rest or as it is deformed: what the multigrid
// cycle of the implicit solver is built from.
//
// Source: docs/theory/implicit.md, equations (9) and (16).
#pragma once

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

// inertia M + stiffness K, K of small strains at rest, one row a node.
solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors);

// The same with K of small strains on top of `positions` (num_nodes, m) with their fibres' tension;
// every element's part is positive semidefinite.
solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors,
                              const KernelInput& input, const Field3d& positions);

}  // namespace sinew::tet
