#include "sinew/lab/active_bar.h"

#include <cmath>

#include "sinew/core/error.h"
#include "sinew/lab/frog.h"
#include "sinew/material/bracketed_newton.h"

namespace sinew::lab {
namespace {

constexpr double kNothing = 1e-4;  // of the maximal force

// The stress-free shape at an activation: places go straight from the passive to the active one.
struct FreeShape {
  double along, across;
};
FreeShape shape_at(const ActiveBarLaw& law, double activation) {
  return {1 + activation * (law.shortening - 1),
          1 + activation * (1 / std::sqrt(law.shortening) - 1)};
}

}  // namespace

ActiveBarLaw make_active_bar_law(const material::MusculotendonParameters& muscle) {
  const auto excess = [&](double length) {
    const material::CurveValue at = material::compute_active_force(muscle.shape, length);
    return material::CurveValue{at.value - kNothing, at.slope};
  };
  constexpr double kShortest = 0.05;
  SINEW_CHECK(excess(kShortest).value < 0, "the active curve begins at a length");
  ActiveBarLaw law;
  law.shortening = material::find_bracketed_zero(excess, kShortest, 1.0);
  law.shear_modulus =
      muscle.max_force / kFrogArea / (std::pow(law.shortening, -2) - law.shortening);
  return law;
}

// Equation (10).
double compute_bar_pull(const ActiveBarLaw& law, double stretch, double activation) {
  const FreeShape free = shape_at(law, activation);
  return kFrogArea * law.shear_modulus *
         (stretch * free.across * free.across / free.along - free.along / (stretch * stretch));
}

double find_free_stretch(const ActiveBarLaw& law, double activation) {
  const FreeShape free = shape_at(law, activation);
  return std::pow(free.along / free.across, 2.0 / 3);
}

double compute_isometric_pull(const ActiveBarLaw& law,
                              const material::MusculotendonParameters& muscle, double length,
                              double activation) {
  const double longest = (length - muscle.slack_length) / muscle.optimal_length;
  const double shortest = find_free_stretch(law, activation);
  if (longest <= shortest) return 0;
  const auto excess = [&](double stretch) {
    const double step = 1e-7;
    const auto at = [&](double l) {
      return compute_bar_pull(law, l, activation) -
             muscle.max_force *
                 material::compute_tendon_force(
                     muscle.shape, (length - l * muscle.optimal_length) / muscle.slack_length)
                     .value;
    };
    return material::CurveValue{at(stretch), (at(stretch + step) - at(stretch)) / step};
  };
  return compute_bar_pull(law, material::find_bracketed_zero(excess, shortest, longest),
                          activation);
}

}  // namespace sinew::lab
