// What a cell's stress does to its eight nodes: forces, stiffness, masses and the row of its
// volume. docs/theory/eulerian.md, eqs. 4 to 7.
//
// Symbols: D = dX/dx, F = D^-1, J = det F; Y: stress-free coordinates (X, or the active shape's),
// whose gradient gives the elastic F~ of fan2014 eq. 4.
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

// `X` and `Y` are those of the free tissue, `Y` is `X` where the body is passive. With `stiffness`,
// also the tangent of W = mu/2 I1. What attachments hold has neither stress nor row.
void compute_cell_forces(const TissueLaw& law, const Block& block, const NodeField& X,
                         const NodeField& Y, const Cells& cells, std::vector<CellForces>& forces,
                         std::vector<CellStiffness>* stiffness);

}  // namespace sinew::eulerian
