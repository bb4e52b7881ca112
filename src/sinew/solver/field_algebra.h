// Sums and linear combinations of nodal fields, on threads and in SIMD lanes. For solvers; sums run
// in double and in fixed order, so that they do not depend on the number of threads.
#pragma once

#include "sinew/core/field3.h"

namespace sinew::solver {

// All fields of a call have the same number of nodes; zero padding stays zero.

// sum_i a_i . b_i
double dot(const Field3f& a, const Field3f& b);
double dot(const Field3d& a, const Field3d& b);

// y += a x
void add_scaled(float a, const Field3f& x, Field3f& y);
void add_scaled(double a, const Field3d& x, Field3d& y);

// y = a x + b y
void combine(float a, const Field3f& x, float b, Field3f& y);
void combine(double a, const Field3d& x, double b, Field3d& y);

// y = a y
void scale(float a, Field3f& y);
void scale(double a, Field3d& y);

// Makes `to` the size of `from` where it is not.
void copy(const Field3d& from, Field3f& to);
void copy(const Field3f& from, Field3d& to);
void copy(const Field3f& from, Field3f& to);
void copy(const Field3d& from, Field3d& to);

}  // namespace sinew::solver
