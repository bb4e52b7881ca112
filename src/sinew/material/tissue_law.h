// The laws that the force loops know, each as distortion + volume part U(det F): plain structs of
// parameters, with energy, stress and exact tangent at a point as templates on the real type, one
// body for `double` and for SIMD lanes. They know no mesh, element or file.
//
// Source: docs/theory/muscle.md. All functions of F hold for det F > 0; invertible.h continues
// them. Each law's header has, with P = dPsi/dF (Pa) and Psi in J/m^3:
//   distortion_energy(law, F, fiber), distortion_stress(law, F, fiber),
//   distortion_stress_and_energy(law, F, fiber),
//   distortion_stress_change(law, F, fiber, dF)   exact derivative of the stress in direction dF
//   bulk_modulus(law), small_strain_moduli(law), scaled(law, factor)
#pragma once

#include <concepts>
#include <type_traits>

#include "sinew/material/blemker.h"
#include "sinew/material/mooney_rivlin.h"
#include "sinew/material/muscle.h"
#include "sinew/material/neo_hookean.h"
#include "sinew/material/volume.h"

namespace sinew::material {

template <class L>
concept TissueLaw = std::is_trivially_copyable_v<L> &&
    requires(const L& law, const Mat3d& F, const Fiber<double>& fiber) {
  { distortion_energy(law, F, fiber) } -> std::same_as<double>;
  { distortion_stress(law, F, fiber) } -> std::same_as<Mat3d>;
  { distortion_stress_change(law, F, fiber, F) } -> std::same_as<Mat3d>;
  { bulk_modulus(law) } -> std::same_as<double>;
  { small_strain_moduli(law) } -> std::same_as<Lame>;
  { scaled(law, 1.0) } -> std::same_as<L>;
};
static_assert(TissueLaw<NeoHookean> && TissueLaw<MooneyRivlin>);
static_assert(TissueLaw<Muscle> && TissueLaw<Blemker>);

// U = kappa/2 ln^2 J (J/m^3) and its derivatives dU/dJ, d2U/dJ2 (Pa). Precondition: J > 0.
template <TissueLaw L, class T>
T volume_energy(const L& law, const T& J) {
  return log_volume_energy(bulk_modulus<T>(law), J);
}
template <TissueLaw L, class T>
T volume_pressure(const L& law, const T& J) {
  return log_volume_pressure(bulk_modulus<T>(law), J);
}
template <TissueLaw L, class T>
T volume_stiffness(const L& law, const T& J) {
  return log_volume_stiffness(bulk_modulus<T>(law), J);
}

// The whole law: distortion + U(det F).
template <TissueLaw L, class T>
T energy_density(const L& law, const Mat3<T>& F, const Fiber<T>& fiber = {}) {
  return distortion_energy(law, F, fiber) + volume_energy(law, determinant(F));
}
template <TissueLaw L, class T>
Mat3<T> stress(const L& law, const Mat3<T>& F, const Fiber<T>& fiber = {}) {
  const Mat3<T> H = cofactor(F);
  return distortion_stress(law, F, fiber) + H * volume_pressure(law, dot(F.col(0), H.col(0)));
}
template <TissueLaw L, class T>
Mat3<T> stress_change(const L& law, const Mat3<T>& F, const Fiber<T>& fiber, const Mat3<T>& dF) {
  const Mat3<T> H = cofactor(F);
  const T J = dot(F.col(0), H.col(0));
  return distortion_stress_change(law, F, fiber, dF) +
         H * (volume_stiffness(law, J) * inner(H, dF)) +
         cross_product(F, dF) * volume_pressure(law, J);
}

}  // namespace sinew::material
