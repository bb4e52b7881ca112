// How well a B-spline solid suits the muscle it was fitted to. For bspline_fit.cc.
#pragma once

#include "sinew/anatomy/bspline_fit.h"

namespace sinew::anatomy {

// Smallest det J / (|dS/du| |dS/dv| |dS/dw|) on a grid of parameters finer than the knots, borders
// included: 1 where the parameters are at right angles, zero or less where the solid folds.
double compute_least_jacobian(const BsplineSolid& solid);

// Fills `covered`, `largest_gap`, `mean_angle` and `p95_angle`.
void add_surface_report(const mesh::Surface& surface, BsplineFit& fit);

}  // namespace sinew::anatomy
