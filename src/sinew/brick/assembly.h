// Stiffness and mass of a whole mesh, each element with its own material; loads. For modes, static
// solutions and the large-strain solver.
//
// Source: docs/theory/bricks.md, equations (4)-(7); chen1992 section 3.3.
//
//   unknown 3 n + i is component i of node n
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/brick/brick_mesh.h"
#include "sinew/brick/element.h"
#include "sinew/brick/sparse_matrix.h"
#include "sinew/material/neo_hookean.h"

namespace sinew::brick {

struct LinearMaterial {
  material::Lame moduli;
  double density;  // kg/m^3
};

struct Matrices {
  SparseMatrix stiffness;  // (3 num_nodes squared) N/m
  SparseMatrix mass;       // (num_nodes squared) kg: the same for x, y and z
};

// `materials`: one for all elements, or one an element.
Matrices assemble(const BrickMesh& mesh, std::span<const LinearMaterial> materials,
                  Rule rule = Rule::k27);

// Zeros where two nodes share an element: (block num_nodes)^2, block 1 or 3.
SparseMatrix make_pattern(const BrickMesh& mesh, std::size_t block);

// Consistent nodal forces (N) of accelerations that are given at the nodes (m/s^2), equation (7).
std::vector<Vec3d> compute_loads(const SparseMatrix& mass, std::span<const Vec3d> accelerations);
std::vector<Vec3d> compute_loads(const SparseMatrix& mass, const Vec3d& acceleration);

// K is (3 num_nodes squared).
std::vector<Vec3d> multiply(const SparseMatrix& K, std::span<const Vec3d> u);

// Sum of a_n . b_n over the nodes.
double dot_all(std::span<const Vec3d> a, std::span<const Vec3d> b);

}  // namespace sinew::brick
