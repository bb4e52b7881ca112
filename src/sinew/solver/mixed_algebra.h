// Sums and combinations of a field in double with one in float: positions and residuals are kept in
// double, search directions in float. For minimize.cc and the implicit stages.
#pragma once

#include "sinew/core/field3.h"

namespace sinew::solver {

// sum_i a_i . b_i, in double and in fixed order
double dot(const Field3d& a, const Field3f& b);

// y += a x
void add_scaled(double a, const Field3f& x, Field3d& y);

// y = a - b
void subtract(const Field3d& a, const Field3d& b, Field3f& y);

}  // namespace sinew::solver
