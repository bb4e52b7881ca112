// The least value of a quadratic within a box: one step of a bounded least-squares method. For
// poses, whose coordinates have ranges.
//
// Source: docs/theory/skeleton.md, equation (53). A primal active-set method (Nocedal, Wright 2006,
// section 16.5) for bounds alone.
#pragma once

#include <vector>

#include "sinew/skeleton/dense.h"

namespace sinew::skeleton {

struct BoxWorkspace {
  std::vector<signed char> side;    // -1: held at low, 1: at high, 0: free
  std::vector<std::size_t> free;    // indices
  std::vector<double> slope, part;  // gradient; the free part of a step
  DenseMatrix factor;
};

// Finds the d that minimises 1/2 d H d + g d within low <= d <= high. H: (n x n) positive definite;
// low <= 0 <= high. False where H is not positive definite; d is then zero.
bool minimize_in_box(const DenseMatrix& h, const std::vector<double>& g,
                     const std::vector<double>& low, const std::vector<double>& high,
                     BoxWorkspace& workspace, std::vector<double>& d);

}  // namespace sinew::skeleton
