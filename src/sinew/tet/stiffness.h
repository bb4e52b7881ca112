// The stiffness matrix of the tissue at rest, assembled: what the multigrid cycle of the implicit
// solver is built from.
//
// Source: docs/theory/implicit.md, equation (9).
#pragma once

#include <vector>

#include "sinew/solver/block_matrix.h"
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

}  // namespace sinew::tet
