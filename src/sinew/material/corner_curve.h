// Smooth curves through points with given slopes, as Millard et al. 2013 draw them: between two
// points a quintic Bezier curve that leans to the corner where their tangents meet.
#pragma once

#include <span>

#include "sinew/material/curve.h"

namespace sinew::material {

struct CurveKnot {
  double x, y, slope;
  double curviness = 0;  // of the piece to the next knot, 0..1: how near it comes to the corner
};

// From the first to the last knot (x increasing; tangents of neighbours meet between them or are
// equal), straight beyond with the end slopes; tabulated on the curve's grid.
Curve make_corner_curve(std::span<const CurveKnot> knots);

}  // namespace sinew::material
