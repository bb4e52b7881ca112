// Compressible neo-Hookean: mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J, the last its volume part.
// Source: docs/theory/finite_volumes.md, equation (9).
#pragma once

#include "sinew/material/fiber.h"

namespace sinew::material {

// Small-strain moduli of an isotropic solid, Pa.
struct Lame {
  double mu;      // shear modulus, > 0
  double lambda;  // first parameter, > -2/3 mu
};
// Preconditions: young_modulus > 0 Pa, -1 < poisson_ratio < 1/2.
Lame compute_lame(double young_modulus, double poisson_ratio);

struct NeoHookean {
  Lame moduli;
};

template <class T>
T distortion_energy(const NeoHookean& law, const Mat3<T>& F, const Fiber<T>& /*fiber*/) {
  using std::log;
  return T(law.moduli.mu) * (T(0.5) * (inner(F, F) - T(3)) - log(determinant(F)));
}

template <class T>
Mat3<T> distortion_stress(const NeoHookean& law, const Mat3<T>& F, const Fiber<T>& /*fiber*/) {
  const Mat3<T> H = cofactor(F);
  const T mu(law.moduli.mu);
  return F * mu - H * (mu / dot(F.col(0), H.col(0)));
}

template <class T>
StressAndEnergy<T> distortion_stress_and_energy(const NeoHookean& law, const Mat3<T>& F,
                                                const Fiber<T>& fiber) {
  return {distortion_stress(law, F, fiber), distortion_energy(law, F, fiber)};
}

template <class T>
Mat3<T> distortion_stress_change(const NeoHookean& law, const Mat3<T>& F, const Fiber<T>& /*fiber*/,
                                 const Mat3<T>& dF) {
  const Mat3<T> H = cofactor(F);
  const T mu(law.moduli.mu);
  const T inverse_J = T(1) / dot(F.col(0), H.col(0));
  const T log_rate = inner(H, dF) * inverse_J;  // d ln J
  return dF * mu + (H * log_rate - cross_product(F, dF)) * (mu * inverse_J);
}

// kappa of the volume part U = kappa/2 ln^2 J, Pa.
template <class T = double>
T bulk_modulus(const NeoHookean& law) {
  return T(law.moduli.lambda);
}

inline Lame small_strain_moduli(const NeoHookean& law) {
  return law.moduli;
}
inline NeoHookean scaled(const NeoHookean& law, double factor) {
  return {{law.moduli.mu * factor, law.moduli.lambda * factor}};
}

}  // namespace sinew::material
