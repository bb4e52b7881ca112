// Matrices of one brick at rest: stiffness of linear elasticity, consistent mass, and the loads
// that a uniform acceleration makes. For assembly and for tests of single elements.
//
// Source: docs/theory/bricks.md, equations (4)-(6); chen1992 sections 3.1-3.2.
//
//   K   (60 x 60) N/m, M (20 x 20) kg: a mass couples equal components only
//   dof 3 n + i is component i of the element's node n; rows of missing nodes are zero
#pragma once

#include <array>
#include <span>

#include "sinew/brick/brick_mesh.h"
#include "sinew/material/neo_hookean.h"

namespace sinew::brick {

// The gradients of the shape functions in space (1/m) and the volume (m^3) that a quadrature point
// stands for.
struct PointGeometry {
  std::array<Vec3d, kBrickNodes> gradients;
  std::array<double, kBrickNodes> values;
  double volume;
};
PointGeometry compute_geometry(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                               NodeSet nodes, const QuadraturePoint& point);

using ElementStiffness = std::array<double, 3600>;  // by rows
using ElementMass = std::array<double, 400>;

ElementStiffness compute_stiffness(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                                   const material::Lame& moduli, Rule rule);
ElementMass compute_mass(const BrickIndices& brick, std::span<const Vec3d> rest_positions,
                         double density, Rule rule);

}  // namespace sinew::brick
