// Mooney-Rivlin of the papers: c1 (I1 - 3) + c2 (I2 - 3) + K ln^2 J, I1 and I2 of J^(-2/3) C.
// Source: docs/theory/finite_volumes.md, equation (10); teran2005 section 5. Departures: the stress
// is the exact derivative of the energy; the printed one is not.
#pragma once

#include "sinew/material/neo_hookean.h"

namespace sinew::material {

// Small strains: mu = 2 (c1 + c2), bulk modulus 2 K.
struct MooneyRivlin {
  double c1, c2;  // Pa, >= 0, not both zero
  double K;       // Pa, > 0
};

// The distortion stress is A F + B H x F + pressure H.
template <class T>
struct MooneyRivlinStress {
  T A, B, pressure;  // Pa
};

template <class T>
[[gnu::always_inline]] inline MooneyRivlinStress<T> compute_terms(const MooneyRivlin& law,
                                                                  const Kinematics<T>& k) {
  const T A = T(2 * law.c1) * k.Jc2;
  const T B = T(2 * law.c2) * k.Jc2 * k.Jc2;
  return {A, B, (A * k.trace_C + T(2) * B * k.trace_H) * k.inverse_J * T(-1.0 / 3)};
}
template <class T>
[[gnu::always_inline]] inline T distortion_energy(const MooneyRivlin& law, const Kinematics<T>& k) {
  return T(law.c1) * (k.Jc2 * k.trace_C - T(3)) + T(law.c2) * (k.Jc2 * k.Jc2 * k.trace_H - T(3));
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> compose_stress(const MooneyRivlinStress<T>& s,
                                                     const Mat3<T>& F, const Mat3<T>& H) {
  return F * s.A + cross_product(H * s.B, F) + H * s.pressure;
}

template <class T>
[[gnu::always_inline]] inline T distortion_energy(const MooneyRivlin& law, const Mat3<T>& F,
                                                  const Fiber<T>& /*fiber*/) {
  return distortion_energy(law, compute_kinematics(F));
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> distortion_stress(const MooneyRivlin& law, const Mat3<T>& F,
                                                        const Fiber<T>& /*fiber*/) {
  const Kinematics<T> k = compute_kinematics(F);
  return compose_stress(compute_terms(law, k), F, k.H);
}
template <class T>
StressAndEnergy<T> distortion_stress_and_energy(const MooneyRivlin& law, const Mat3<T>& F,
                                                const Fiber<T>& /*fiber*/) {
  const Kinematics<T> k = compute_kinematics(F);
  return {compose_stress(compute_terms(law, k), F, k.H), distortion_energy(law, k)};
}

template <class T>
Mat3<T> distortion_stress_change(const MooneyRivlin& law, const Mat3<T>& F, const Kinematics<T>& k,
                                 const Mat3<T>& dF) {
  const MooneyRivlinStress<T> s = compute_terms(law, k);
  const Mat3<T> dH = cross_product(F, dF);
  const T log_rate = inner(k.H, dF) * k.inverse_J;  // d ln J
  const T dA = s.A * log_rate * T(-2.0 / 3);
  const T dB = s.B * log_rate * T(-4.0 / 3);
  const T sum_change =
      dA * k.trace_C + T(2) * (s.A * inner(F, dF) + dB * k.trace_H) + T(4) * s.B * inner(k.H, dH);
  const T pressure_change = sum_change * k.inverse_J * T(-1.0 / 3) - s.pressure * log_rate;
  return dF * s.A + F * dA + cross_product(dH * s.B + k.H * dB, F) + cross_product(k.H * s.B, dF) +
         dH * s.pressure + k.H * pressure_change;
}
template <class T>
Mat3<T> distortion_stress_change(const MooneyRivlin& law, const Mat3<T>& F,
                                 const Fiber<T>& /*fiber*/, const Mat3<T>& dF) {
  return distortion_stress_change(law, F, compute_kinematics(F), dF);
}

// kappa of the volume part U = kappa/2 ln^2 J, Pa.
template <class T = double>
T bulk_modulus(const MooneyRivlin& law) {
  return T(2 * law.K);
}

inline Lame small_strain_moduli(const MooneyRivlin& law) {
  const double mu = 2 * (law.c1 + law.c2);
  return {mu, 2 * law.K - (2.0 / 3) * mu};
}
inline MooneyRivlin scaled(const MooneyRivlin& law, double factor) {
  return {law.c1 * factor, law.c2 * factor, law.K * factor};
}

}  // namespace sinew::material
