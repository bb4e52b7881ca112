// What a cell's stress does to its eight nodes: forces, stiffness, masses and the row of its
// volume. docs/theory/eulerian.md, eqs. 4 to 7.
//
// Symbols: D = dX/dx, F = D^-1, J = det F; psi: where the active shape has material,
// dpsi/dX = R U, a activation, F~ = F U^-a the elastic part (fan2014 eq. 4).
//
// Departure from fan2014, which interpolates places, X + a (psi(X) - X): a power of the stretch,
// free of rotation, as other engines have it (docs/theory/active_shapes.md, eq. 3).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sinew/eulerian/block.h"
#include "sinew/eulerian/occupancy.h"
#include "sinew/eulerian/settings.h"

namespace sinew::eulerian {

struct CellForces {
  std::array<double, 8> mass{};       // kg, what each node carries
  std::array<double, 8> soft_mass{};  // kg, without what attachments hold
  std::array<Vec3d, 8> row{};         // m^2, integral of grad N
  std::array<Vec3d, 8> force{};       // N, of the stress
  double volume = 0;                  // m^3, filled
  double rest_volume = 0;             // m^3, of the material in it
  double energy = 0;                  // J
  double stiffness = 0;               // Pa, the largest modulus of its points
};

// 8 x 8 symmetric, by rows: the same for x, y and z, N/m.
using CellStiffness = std::array<double, 64>;

// Of the free tissue, at the nodes of a block.
struct Material {
  const NodeField& X;
  const NodeField& active;  // psi(X), where activation is above 0
  double activation;        // 0..1
};

// With `stiffness`, also the tangent of W = mu/2 I1. What attachments hold has neither stress nor
// row.
void compute_cell_forces(const TissueLaw& law, const Block& block, const Material& material,
                         const Cells& cells, std::vector<CellForces>& forces,
                         std::vector<CellStiffness>* stiffness);

}  // namespace sinew::eulerian
