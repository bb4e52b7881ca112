// The implicit step's elastic matrix on the unknowns: P^T (M + dt^2 K) P with slaves P eliminated,
// one scalar for x, y and z. docs/theory/eulerian.md, eq. 11.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/eulerian/sparse.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// `held` (num_unknowns) becomes dt^2 K times the velocities of held nodes, N s.
SparseMatrix make_elastic_matrix(double dt, const Workspace& workspace, std::vector<Vec3d>& held);

// Row `node` of K times the velocities that were solved for, N/s.
Vec3d apply_stiffness(const Workspace& workspace, std::size_t body, std::size_t node);

}  // namespace sinew::eulerian
