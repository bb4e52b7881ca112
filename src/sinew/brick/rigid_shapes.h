// The six rigid motions of a body's nodes, for telling them from what deforms it. For modal_body.h.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/brick/sparse_matrix.h"
#include "sinew/core/vec.h"

namespace sinew::brick {

using RigidShapes = std::array<std::vector<Vec3d>, 6>;  // of (num_nodes)

// Three shifts and three turns, M-orthonormal: r_i^T M r_j = delta_ij. Nodes must not be all on a
// line.
RigidShapes make_rigid_shapes(const SparseMatrix& mass, std::span<const Vec3d> positions);

// Takes the rigid motions out of a shape and gives it unit mass again; returns how much of its mass
// was theirs, 0..1.
double remove_rigid(const SparseMatrix& mass, const RigidShapes& rigid, std::vector<Vec3d>& shape);

}  // namespace sinew::brick
