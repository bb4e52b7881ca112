// What the laws of this folder share: the fibre of a point and the invariants of its deformation.
// One body for `double` and for SIMD lanes (core/real.h).
//
// symbol  meaning                                     unit
//   F     deformation gradient, dx/dX                 -
//   J     det F, relative volume                      -
//   H     cofactors of F: H = J F^-T = dJ/dF          -
//   Jc    J^(-1/3): Jc F has no change of volume      -
//   a     fibre direction at rest                     -
//   l     fibre stretch without volume, Jc |F a|      -
//   P     first Piola-Kirchhoff stress, dPsi/dF       Pa
#pragma once

#include <cmath>

#include "sinew/core/real.h"
#include "sinew/core/vec.h"

namespace sinew::material {

template <class T>
struct Fiber {
  Vec3<T> direction;  // unit, at rest; zero: no fibres here
  T activation;       // 0..1, times a force-velocity factor where there is one
};

// A B = derivative of the cofactors: d cof(F) = cross_product(F, dF), and
// d |cof(F)|^2 = 2 cross_product(cof(F), F) : dF. Symmetric in A and B, linear in each.
template <class T>
[[gnu::always_inline]] inline Mat3<T> cross_product(const Mat3<T>& a, const Mat3<T>& b) {
  return {{cross(a.col(1), b.col(2)) + cross(b.col(1), a.col(2)),
           cross(a.col(2), b.col(0)) + cross(b.col(2), a.col(0)),
           cross(a.col(0), b.col(1)) + cross(b.col(0), a.col(1))}};
}

// What all terms of a law need of F. Precondition: det F > 0.
template <class T>
struct Kinematics {
  Mat3<T> H;
  T inverse_J;
  T Jc2;      // Jc^2
  T trace_C;  // |F|^2
  T trace_H;  // |H|^2, the second invariant of C
};

template <class T>
[[gnu::always_inline]] inline Kinematics<T> compute_kinematics(const Mat3<T>& F) {
  const Mat3<T> H = cofactor(F);
  const T Jc = rcbrt(dot(F.col(0), H.col(0)));
  const T Jc2 = Jc * Jc;
  return {H, Jc2 * Jc, Jc2, inner(F, F), inner(H, H)};
}

template <class T>
struct StressAndEnergy {
  Mat3<T> stress;  // Pa
  T energy;        // J/m^3
};

// A positive stand-in for x (a volume, a square of a length) that is x itself from `start` on and
// falls to start/2 below, with a continuous slope: what keeps fibre terms finite in crushed and
// inverted elements.
template <class T>
struct Softened {
  T value;
  T slope;  // d value / dx
};
template <class T>
[[gnu::always_inline]] inline Softened<T> soften(const T& x, double start) {
  const T ratio = T(1) / (T(1) + max(T(start) - x, T(0)) * T(2 / start));
  return {select(x < T(start), T(0.5 * start) * (T(1) + ratio), x), ratio * ratio};
}

}  // namespace sinew::material
