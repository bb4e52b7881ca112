// The tension of muscle and tendon fibres over their stretch: active and passive curves, the
// published ones and those of other programs. A law holds one FiberCurves; all laws read it alike.
//
// Source: docs/theory/muscle.md, equations (5)-(8). The tension is T(l, alpha) = dW/dl (Pa), l =
// J^(-1/3) |F a|. Departures: Zajac's passive curve and the tendon's toe are exponentials without
// their first three terms, so that the stiffness is continuous at the slack length; beyond the toe
// they are straight.
#pragma once

#include "sinew/material/curve.h"

namespace sinew::material {

// T = max_stress * activation * active(l) + passive_stress * passive(l)
struct FiberCurves {
  double max_stress = 0;      // Pa, >= 0
  double passive_stress = 0;  // Pa, >= 0
  Curve active, passive;
};

// Active force over length of whole muscle, after Zajac 1989 in the points of Delp 1990: at most
// about 1 near l = 1, zero outside 0.401..1.619.
Curve make_active_curve();
// Slack up to l = 1, exponential over `toe_strain`, then straight with slope 1. `shape` > 0 is how
// many e-folds the toe has.
Curve make_toe_curve(double toe_strain, double shape);

// Passive fibres of Weiss et al. 1996 in the convention of FEBio:
// l T = c3 (exp(c4 (l - 1)) - 1) for 1 <= l < lam_max, c5 l + c6 beyond, continuous there; with
// lam_max = 1 there is no toe.
struct WeissFibers {
  double c3, c4, c5;  // Pa, -, Pa
  double lam_max;     // >= 1
};
FiberCurves make_weiss_curves(const WeissFibers& fibers);

// Fibres of Blemker et al. 2005: T = max_stress / Lofl (f_passive(x) + activation f_active(x)) with
// x = l / Lofl, an exponential to a straight line and three parabolas.
struct BlemkerFibers {
  double max_stress = 300e3;   // Pa
  double P1 = 0.05, P2 = 6.6;  // of f_passive
  double optimal_stretch = 1;  // Lofl
  // Stretch where f_passive becomes straight, >= Lofl: from its begin on where they are equal.
  double lam_max = 1.4;
};
FiberCurves make_blemker_curves(const BlemkerFibers& fibers);

template <class T>
struct FiberStretch {
  Vec3<T> Fa;
  T inverse_l, l;
};
template <class T>
[[gnu::always_inline]] inline FiberStretch<T> compute_stretch(const Mat3<T>& F, const Vec3<T>& a,
                                                              const T& Jc2) {
  const Vec3<T> Fa = F * a;
  // The floor is far below any stretch; it serves points without fibres, where F a is zero.
  const T square = Jc2 * dot(Fa, Fa);
  const T inverse_l = rsqrt(max(square, T(1e-12)));
  return {Fa, inverse_l, square * inverse_l};
}

template <class T>
[[gnu::always_inline]] inline T compute_tension(const FiberCurves& curves, const T& l,
                                                const T& activation) {
  return T(curves.max_stress) * activation * evaluate(curves.active, find_place(curves.active, l)) +
         T(curves.passive_stress) * evaluate(curves.passive, find_place(curves.passive, l));
}
template <class T>
T compute_tension_slope(const FiberCurves& curves, const T& l, const T& activation) {
  return T(curves.max_stress) * activation *
             evaluate_slope(curves.active, find_place(curves.active, l)) +
         T(curves.passive_stress) * evaluate_slope(curves.passive, find_place(curves.passive, l));
}
// W, J/m^3; zero at l = 1, and everywhere without fibres.
template <class T>
[[gnu::always_inline]] inline T fiber_energy(const FiberCurves& curves,
                                             const FiberStretch<T>& stretch,
                                             const Fiber<T>& fiber) {
  const T l = stretch.l;
  const T energy =
      T(curves.max_stress) * fiber.activation *
          evaluate_integral(curves.active, find_place(curves.active, l)) +
      T(curves.passive_stress) * evaluate_integral(curves.passive, find_place(curves.passive, l));
  return select(dot(fiber.direction, fiber.direction) > T(0.5), energy, T(0));
}

// The fibre's stress is pressure H + along (F a) a^T.
template <class T>
struct FiberStress {
  T pressure, along;  // Pa
};
template <class T>
[[gnu::always_inline]] inline FiberStress<T> compute_terms(const FiberCurves& curves,
                                                           const FiberStretch<T>& stretch,
                                                           const T& activation, const T& inverse_J,
                                                           const T& Jc2) {
  const T tension = compute_tension(curves, stretch.l, activation);
  return {tension * stretch.l * inverse_J * T(-1.0 / 3), tension * Jc2 * stretch.inverse_l};
}

template <class T>
Mat3<T> fiber_stress_change(const FiberCurves& curves, const Mat3<T>& F, const Kinematics<T>& k,
                            const Fiber<T>& fiber, const Mat3<T>& dF) {
  const Vec3<T>& a = fiber.direction;
  const FiberStretch<T> s = compute_stretch(F, a, k.Jc2);
  const T tension = compute_tension(curves, s.l, fiber.activation);
  const T slope = compute_tension_slope(curves, s.l, fiber.activation);
  const Vec3<T> dFa = dF * a;
  const T log_rate = inner(k.H, dF) * k.inverse_J;  // d ln J
  const T along = k.Jc2 * s.inverse_l;
  const T dl = along * dot(s.Fa, dFa) - s.l * log_rate * T(1.0 / 3);
  const T pressure = tension * s.l * k.inverse_J * T(-1.0 / 3);
  const T d_pressure =
      (slope * s.l + tension) * dl * k.inverse_J * T(-1.0 / 3) - pressure * log_rate;
  const T d_along =
      along * ((slope - tension * s.inverse_l) * dl - tension * log_rate * T(2.0 / 3));
  return cross_product(F, dF) * pressure + k.H * d_pressure +
         Mat3<T>::outer(dFa * (tension * along) + s.Fa * d_along, a);
}

}  // namespace sinew::material
