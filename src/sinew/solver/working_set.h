// The inner loop of the active-set method: from a feasible point of a strictly convex quadratic
// program to its solution, by adding and dropping active bounds. Used by active_set_qp.cc only,
// which sees to it that the program is as required here.
//
// Source: docs/theory/activation.md, equations (11)-(13).
#pragma once

#include <vector>

#include "sinew/solver/active_set_qp.h"

namespace sinew::solver {

enum class Side : signed char { kLower = -1, kFree = 0, kUpper = 1 };

struct WorkingPoint {
  std::vector<double> x;    // (n) within the bounds
  std::vector<Side> sides;  // (n) the active bounds
  std::vector<double> y;    // (m) multipliers of the equalities
  int iterations = 0;       // in all
};

// H v + c
std::vector<double> compute_gradient(const QpProblem& problem, const std::vector<double>& v);

// Preconditions: H positive definite; the rows of A independent, also without the columns of
// variables whose bounds are equal; A x = b to rounding. False where it did not end within
// its limit of iterations.
bool minimise_in_working_set(const QpProblem& problem, WorkingPoint& point);

}  // namespace sinew::solver
