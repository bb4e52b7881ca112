// Solves the balance of flow over cut cells, sum over faces of w (x_c - x_n) = b_c, by conjugate
// gradients with a multigrid cycle as preconditioner. For fiber_flow.h.
//
// Cells are joined two by two by two. Coarse weights are half the sum of the fine ones, which is
// what the coarse cells' own finite volumes give; corrections are constant over a coarse cell.
#pragma once

#include <vector>

#include "sinew/anatomy/cut_cells.h"

namespace sinew::anatomy {

struct FlowSolution {
  std::vector<double> values;  // (num_cells) zero mean
  int iterations = 0;
  double residual = 0;  // |b - A x| / |b|
};

// `source` (num_cells) sums to zero over every connected piece. Deterministic with any number of
// threads. Where the tolerance is not reached within the allowed iterations the best is returned;
// see `residual`.
FlowSolution solve_flow(const CutCells& cells, const std::vector<double>& source);

}  // namespace sinew::anatomy
