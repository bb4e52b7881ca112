// The smoothest curve through samples in time, with its first two derivatives: quintics that agree
// up to the fourth derivative where they meet, for rates and accelerations of measured motions.
//
// Source: docs/theory/skeleton.md, equations (42)-(44). Natural ends: the third and fourth
// derivatives are zero there.
#pragma once

#include <vector>

#include "sinew/skeleton/function.h"

namespace sinew::skeleton {

struct QuinticSpline {
  std::vector<double> times;                         // s, strictly increasing
  std::vector<double> values, rates, accelerations;  // at the times
};

// Two samples give a straight line, one a constant. Throws std::invalid_argument unless times are
// finite, increase strictly and are as many as the finite values, at least one.
QuinticSpline make_quintic_spline(const std::vector<double>& times,
                                  const std::vector<double>& values);

// Beyond the ends it goes on as the end's parabola.
FunctionValue evaluate(const QuinticSpline& spline, double time);

}  // namespace sinew::skeleton
