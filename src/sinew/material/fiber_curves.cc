#include "sinew/material/fiber_curves.h"

#include <array>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew::material {

Curve make_active_curve() {
  // Normalised fibre length and force of Delp 1990 (Surgery simulation, thesis, Stanford), as used
  // in the lower- and upper-limb models that followed it, after Zajac 1989, figure 8.
  constexpr std::array<CurvePoint, 9> kPoints = {{{0.401, 0.0},
                                                  {0.52725, 0.226667},
                                                  {0.62875, 0.636667},
                                                  {0.71875, 0.856667},
                                                  {0.86125, 0.95},
                                                  {1.045, 0.993333},
                                                  {1.2175, 0.77},
                                                  {1.43875, 0.246667},
                                                  {1.61875, 0.0}}};
  return make_spline_through(kPoints, 0, 0);
}

Curve make_toe_curve(double toe_strain, double shape) {
  SINEW_CHECK(toe_strain > 0 && shape > 0, "a toe needs a positive strain and shape");
  const double at_end = std::expm1(shape) - shape;  // slope 1 where the toe ends
  return make_curve(
      {1, 1 + toe_strain, 0, 1},
      [=](double l) {
        const double q = shape * (l - 1) / toe_strain;
        return toe_strain * (std::expm1(q) - q - q * q / 2) / (shape * at_end);
      },
      [=](double l) {
        const double q = shape * (l - 1) / toe_strain;
        return (std::expm1(q) - q) / at_end;
      });
}

FiberCurves make_weiss_curves(const WeissFibers& fibers) {
  SINEW_CHECK(fibers.lam_max >= 1, "Weiss fibres need lam_max >= 1");
  // Where there is no toe, the grid covers slack lengths only.
  const bool has_toe = fibers.lam_max > 1;
  const double c3 = has_toe ? fibers.c3 : 0;
  const auto value = [=, c4 = fibers.c4](double l) { return c3 * std::expm1(c4 * (l - 1)) / l; };
  const auto slope = [=, c4 = fibers.c4](double l) {
    return (c3 * c4 * std::exp(c4 * (l - 1)) - value(l)) / l;
  };
  // Beyond the toe T = c5 + c6 / l: no straight line, but its product with l is one.
  const double c6 = fibers.lam_max * (value(fibers.lam_max) - fibers.c5);
  FiberCurves curves;
  curves.passive_stress = 1;
  curves.passive = make_curve(
      {.begin = has_toe ? 1 : 0.5, .end = fibers.lam_max, .zero = 1, .above_inverse = c6}, value,
      slope);
  return curves;
}

namespace {

// Blemker's active force over x = l / Lofl: three parabolas.
double blemker_active(double x) {
  if (x > 1.6) return 0;
  const double outer = x < 1 ? x - 0.4 : x - 1.6;
  return std::abs(x - 1) < 0.4 ? 1 - 4 * (x - 1) * (x - 1) : 9 * outer * outer;
}
double blemker_active_slope(double x) {
  if (x > 1.6) return 0;
  return std::abs(x - 1) < 0.4 ? -8 * (x - 1) : 18 * (x < 1 ? x - 0.4 : x - 1.6);
}

}  // namespace

FiberCurves make_blemker_curves(const BlemkerFibers& fibers) {
  const double Lofl = fibers.optimal_stretch;
  SINEW_CHECK(Lofl > 0 && fibers.lam_max >= Lofl, "Blemker fibres need 0 < Lofl <= lam_max");
  FiberCurves curves;
  curves.max_stress = curves.passive_stress = fibers.max_stress / Lofl;
  // The seams 0.6, 1.4 and 1.6 fall on grid points 10, 50 and 60: the parabolas are exact.
  curves.active = make_curve(
      {0.4 * Lofl, 1.68 * Lofl}, [=](double l) { return blemker_active(l / Lofl); },
      [=](double l) { return blemker_active_slope(l / Lofl) / Lofl; });
  const auto toe = [=](double l) { return fibers.P1 * std::expm1(fibers.P2 * (l / Lofl - 1)); };
  const auto toe_slope = [=](double l) {
    return fibers.P1 * fibers.P2 * std::exp(fibers.P2 * (l / Lofl - 1)) / Lofl;
  };
  const double end_slope = toe_slope(fibers.lam_max);
  if (fibers.lam_max > Lofl) {
    curves.passive = make_curve({Lofl, fibers.lam_max, 0, end_slope}, toe, toe_slope);
  } else {  // straight from its begin on, as the limit of short toes is
    curves.passive = make_curve(
        {Lofl, 2 * Lofl, 0, end_slope}, [=](double l) { return end_slope * (l - Lofl); },
        [=](double) { return end_slope; });
  }
  return curves;
}

}  // namespace sinew::material
