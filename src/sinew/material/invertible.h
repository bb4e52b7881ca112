// The continued laws of continuation.h at one F in double: the SVD is taken only where it is
// needed. For the scalar reference of the force loops, for energies and for tests.
#pragma once

#include "sinew/core/svd.h"
#include "sinew/material/continuation.h"
#include "sinew/material/corotated.h"

namespace sinew::material {

namespace detail {

inline Polar<double> compute_polar(const Mat3d& F) {
  const PolarSvd svd = compute_polar_svd(F);
  return {svd.U, svd.s, svd.V};
}

}  // namespace detail

// Continuation of the stress: P (Pa), for every finite F.
template <TissueLaw L>
Mat3d stress(const Invertible<L>& m, const Mat3d& F, const Fiber<double>& fiber = {}) {
  if (surely_regular(F)) return stress(m.law, F, fiber);
  return continued_stress(m, detail::compute_polar(F), fiber);
}
template <TissueLaw L>
Mat3d distortion_stress(const Invertible<L>& m, const Mat3d& F, const Fiber<double>& fiber = {}) {
  if (surely_regular(F)) return distortion_stress(m.law, F, fiber);
  return continued_stress<Part::kDistortion>(m, detail::compute_polar(F), fiber);
}

// Continuation of the energy: J/m^3, and its exact gradient (Pa), for every finite F.
template <TissueLaw L>
double energy_density(const Invertible<L>& m, const Mat3d& F, const Fiber<double>& fiber = {}) {
  if (surely_regular(F, kEnergyThreshold)) return energy_density(m.law, F, fiber);
  return extended_energy(m, detail::compute_polar(F), fiber);
}
template <TissueLaw L>
Mat3d gradient_stress(const Invertible<L>& m, const Mat3d& F, const Fiber<double>& fiber = {}) {
  if (surely_regular(F, kEnergyThreshold)) return stress(m.law, F, fiber);
  return extended_stress(m, detail::compute_polar(F), fiber);
}
template <TissueLaw L>
double distortion_energy(const Invertible<L>& m, const Mat3d& F, const Fiber<double>& fiber = {}) {
  if (surely_regular(F, kEnergyThreshold)) return distortion_energy(m.law, F, fiber);
  return extended_energy<Part::kDistortion>(m, detail::compute_polar(F), fiber);
}
template <TissueLaw L>
Mat3d distortion_gradient_stress(const Invertible<L>& m, const Mat3d& F,
                                 const Fiber<double>& fiber = {}) {
  if (surely_regular(F, kEnergyThreshold)) return distortion_stress(m.law, F, fiber);
  return extended_stress<Part::kDistortion>(m, detail::compute_polar(F), fiber);
}

// Corotated elasticity needs no continuation of its energy; that of the stress keeps the stretches
// of a crushed element from feeding its volume term.
template <>
struct Invertible<Corotated> {
  explicit Invertible(const Corotated& base)
      : law(base), slope(2 * base.moduli.mu + base.moduli.lambda) {}
  Corotated law;
  double slope;  // Pa
};

inline Mat3d stress(const Invertible<Corotated>& m, const Mat3d& F,
                    const Fiber<double>& /*fiber*/ = {}) {
  const PolarSvd svd = compute_polar_svd(F);
  const Vec3d c = detail::clamped(svd.s, kThreshold);
  return compose(svd.U, principal_stress(m.law, c) + (svd.s - c) * m.slope, svd.V);
}
inline double energy_density(const Invertible<Corotated>& m, const Mat3d& F,
                             const Fiber<double>& fiber = {}) {
  return energy_density(m.law, F, fiber);
}
inline Mat3d gradient_stress(const Invertible<Corotated>& m, const Mat3d& F,
                             const Fiber<double>& fiber = {}) {
  return stress(m.law, F, fiber);
}
// All of it counts as distortion: its volume term cannot be taken apart and averaged.
inline Mat3d distortion_stress(const Invertible<Corotated>& m, const Mat3d& F,
                               const Fiber<double>& fiber = {}) {
  return stress(m, F, fiber);
}
inline double distortion_energy(const Invertible<Corotated>& m, const Mat3d& F,
                                const Fiber<double>& fiber = {}) {
  return energy_density(m, F, fiber);
}
inline Mat3d distortion_gradient_stress(const Invertible<Corotated>& m, const Mat3d& F,
                                        const Fiber<double>& fiber = {}) {
  return gradient_stress(m, F, fiber);
}

}  // namespace sinew::material
