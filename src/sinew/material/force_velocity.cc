#include "sinew/material/force_velocity.h"

#include "sinew/material/curve.h"

namespace sinew::material {
namespace {

constexpr double kCurvature = 0.25;        // a / F0 of Hill's hyperbola (Zajac 1989)
constexpr double kLengtheningForce = 1.4;  // Thelen 2003, young adults

double hyperbolas(double v) {
  if (v <= 0) return (1 + v) / (1 - v / kCurvature);
  const double gain = kLengtheningForce - 1;
  return 1 + gain * v / (v + gain / (1 + 1 / kCurvature));
}

}  // namespace

double compute_force_velocity(double rate, double max_rate) {
  static const Curve curve = make_spline({-1, 1, 0, 0, 0}, hyperbolas);
  return evaluate(curve, find_place(curve, rate / max_rate));
}

}  // namespace sinew::material
