// Points carried by the tetrahedra of a mesh: a surface that moves with a coarser lattice
// (teran2005 section 6).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesh {

struct EmbeddedPoint {
  std::uint32_t tet;
  std::array<double, 4> weights;  // barycentric, sum 1; a little outside [0, 1] near the surface
};

// Barycentric coordinates of x in a tetrahedron of a lattice mesh.
std::array<double, 4> compute_weights(const TetMesh& mesh, std::size_t tet, const Vec3d& x);

// How far a point is outside a tetrahedron, by its most negative weight.
double outsideness(const std::array<double, 4>& weights);

// Precondition: the mesh is not empty and has no copies of cells. Throws std::invalid_argument for
// a point that is more than about a spacing away from every cell.
std::vector<EmbeddedPoint> embed(const LatticeMesh& mesh, const std::vector<Vec3d>& points);

// Interpolates nodal values at an embedded point.
template <class T>
T interpolate(const EmbeddedPoint& point, const std::array<std::uint32_t, 4>& tet,
              const std::vector<T>& values) {
  return values[tet[0]] * point.weights[0] + values[tet[1]] * point.weights[1] +
         values[tet[2]] * point.weights[2] + values[tet[3]] * point.weights[3];
}

}  // namespace sinew::mesh
