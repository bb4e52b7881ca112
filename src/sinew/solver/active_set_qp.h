// Dense convex quadratic programs with equalities and bounds,
//   min 1/2 x^T H x + c^T x,  A x = b,  lower <= x <= upper,
// by a primal active-set method that starts from a guess: for muscle force distribution, where each
// pose begins with the last one's solution. Infeasible programs are an answer, not an error.
//
// Source: docs/theory/activation.md, equations (10)-(14); Nocedal, Wright 2006, section 16.5.
// Departures: a first phase finds the feasible point nearest to the guess by proximal least
// squares, which gives the least violation where there is none; where H is singular on the null
// space of A, proximal steps lead to one of the solutions.
//
// n variables, m equalities.
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/solver/dense_matrix.h"

namespace sinew::solver {

struct QpProblem {
  std::vector<double> H;             // (n x n) by rows, symmetric, or (n): a diagonal
  std::vector<double> c;             // (n)
  DenseMatrix A;                     // (m x n); redundant rows are welcome
  std::vector<double> b;             // (m)
  std::vector<double> lower, upper;  // (n) lower <= upper, infinite where there is none
};

enum class QpStatus {
  kSolved,
  kInfeasible,      // x has the least |A x - b| within the bounds, rows of A taken at unit length
  kUnbounded,       // the objective falls without end
  kNotConvex,       // H has negative curvature along A x = 0
  kIterationLimit,  // rounding kept it from ending: x is feasible
};

struct QpSolution {
  QpStatus status = QpStatus::kIterationLimit;
  std::vector<double> x;                     // (n)
  std::vector<double> equality_multipliers;  // (m) y and
  std::vector<double> bound_multipliers;     // (n) z with H x + c = A^T y + z
  std::vector<double> violation;             // (m) A x - b
  int iterations = 0;                        // changes of the set of active bounds, both phases
};

// `guess` (n, or empty: zeros) is put within the bounds; variables that it has at a bound are taken
// for active at first. Throws std::invalid_argument where sizes do not fit, an entry is NaN or
// a lower bound is above the upper one.
QpSolution solve_qp(const QpProblem& problem, const std::vector<double>& guess = {});

// The largest failure of the conditions of Karush, Kuhn and Tucker: stationarity, equalities,
// bounds, signs of multipliers (complementarity included). Absolute, in the program's own units.
double compute_kkt_error(const QpProblem& problem, const QpSolution& solution);

}  // namespace sinew::solver
