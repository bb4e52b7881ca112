// The explicit step's constraint solve: conjugate gradients on the Schur complement
// S = G M^-1 G^T + L + C, preconditioned by its diagonal. docs/theory/eulerian.md, eq. 8.
#pragma once

#include <span>
#include <vector>

#include "sinew/eulerian/rows.h"

namespace sinew::eulerian {

struct SolveReport {
  int iterations = 0;
  double residual = 0;  // relative to the right-hand side
  bool converged = true;
  bool agreed = true;  // the active set with its solution
};

// The diagonal of S. `inverse_mass` (num_unknowns), 1/kg.
std::vector<double> schur_diagonal(const Rows& rows, std::span<const double> inverse_mass);

// Solves S y = r from y = rows.multiplier, which becomes the solution.
SolveReport solve_schur(std::span<const double> inverse_mass, std::span<const double> r,
                        double tolerance, int most, Rows& rows);

}  // namespace sinew::eulerian
