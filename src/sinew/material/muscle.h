// Muscle, tendon and their wrapping: Mooney-Rivlin matrix + fibres + volume part, the quasi-
// incompressible, transversely isotropic, active law of the papers; fascia stiffens surface
// elements in elongation. For the force loop: one cube root, two roots or divisions for the fibre.
//
// Source: docs/theory/muscle.md, equations (1)-(4); teran2003 section 5, teran2005 section 5.
//   Psi = c1 (I1 - 3) + c2 (I2 - 3) + W(l, alpha) + K ln^2 J,  dW/dl = T(l, alpha)
// Departures: the stress is the exact derivative of Psi; the printed ones disagree with it.
#pragma once

#include "sinew/material/elongation.h"
#include "sinew/material/fiber_curves.h"
#include "sinew/material/mooney_rivlin.h"

namespace sinew::material {

struct Muscle {
  MooneyRivlin matrix;
  FiberCurves fibers;
  double surface_stiffness = 0;  // Pa, >= 0, in elongation; zero inside a muscle
};

template <class T>
[[gnu::always_inline]] inline T distortion_energy(const Muscle& law, const Mat3<T>& F,
                                                  const Kinematics<T>& k, const Fiber<T>& fiber) {
  T energy = distortion_energy(law.matrix, k) +
             fiber_energy(law.fibers, compute_stretch(F, fiber.direction, k.Jc2), fiber);
  if (law.surface_stiffness > 0) energy += elongation_energy(law.surface_stiffness, F);
  return energy;
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> distortion_stress(const Muscle& law, const Mat3<T>& F,
                                                        const Kinematics<T>& k,
                                                        const Fiber<T>& fiber) {
  const FiberStretch<T> stretch = compute_stretch(F, fiber.direction, k.Jc2);
  const FiberStress<T> along =
      compute_terms(law.fibers, stretch, fiber.activation, k.inverse_J, k.Jc2);
  MooneyRivlinStress<T> matrix = compute_terms(law.matrix, k);
  matrix.pressure += along.pressure;
  Mat3<T> P =
      compose_stress(matrix, F, k.H) + Mat3<T>::outer(stretch.Fa * along.along, fiber.direction);
  if (law.surface_stiffness > 0) P += elongation_stress(law.surface_stiffness, F);
  return P;
}

template <class T>
[[gnu::always_inline]] inline T distortion_energy(const Muscle& law, const Mat3<T>& F,
                                                  const Fiber<T>& fiber) {
  return distortion_energy(law, F, compute_kinematics(F), fiber);
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> distortion_stress(const Muscle& law, const Mat3<T>& F,
                                                        const Fiber<T>& fiber) {
  return distortion_stress(law, F, compute_kinematics(F), fiber);
}
template <class T>
StressAndEnergy<T> distortion_stress_and_energy(const Muscle& law, const Mat3<T>& F,
                                                const Fiber<T>& fiber) {
  const Kinematics<T> k = compute_kinematics(F);
  return {distortion_stress(law, F, k, fiber), distortion_energy(law, F, k, fiber)};
}
template <class T>
Mat3<T> distortion_stress_change(const Muscle& law, const Mat3<T>& F, const Fiber<T>& fiber,
                                 const Mat3<T>& dF) {
  const Kinematics<T> k = compute_kinematics(F);
  Mat3<T> dP = distortion_stress_change(law.matrix, F, k, dF) +
               fiber_stress_change(law.fibers, F, k, fiber, dF);
  if (law.surface_stiffness > 0) dP += elongation_stress_change(law.surface_stiffness, F, dF);
  return dP;
}

// kappa of the volume part U = kappa/2 ln^2 J, Pa.
template <class T = double>
T bulk_modulus(const Muscle& law) {
  return bulk_modulus<T>(law.matrix);
}

// Of the matrix: fibres and fascia come on top of it in elongation.
inline Lame small_strain_moduli(const Muscle& law) {
  return small_strain_moduli(law.matrix);
}
inline FiberCurves scaled(const FiberCurves& curves, double factor) {
  FiberCurves result = curves;
  result.max_stress *= factor;
  result.passive_stress *= factor;
  return result;
}
inline Muscle scaled(const Muscle& law, double factor) {
  return {scaled(law.matrix, factor), scaled(law.fibers, factor), law.surface_stiffness * factor};
}

}  // namespace sinew::material
