// Any isotropic law, continued to crushed and inverted elements, so that every finite F has a
// finite energy and a stress that pushes it back. For the force loop and for energies.
//
// Source: docs/theory/finite_volumes.md, equations (11)-(13); Irving et al. 2004: work in principal
// stretches and continue the law linearly below a threshold. With c_i = max(s_i, threshold),
//   p_i = dPsi/ds_i (c) + k (s_i - c_i).
// Departures: the slope k is one positive constant of the law, since the law's own slope turns
// negative where the other stretches are large; the threshold is 0.45 (docs/decisions/0002).
// As Irving et al. say, the continued stress is no gradient of an energy: a line search on the
// energy below is not valid while a stretch is clamped.
#pragma once

#include "sinew/core/svd.h"
#include "sinew/material/elasticity.h"

namespace sinew::material {

// Stretches below this are continued. Irving et al. cut at 0.3; there the stress of these laws is
// already so strong that crushed elements held each other inverted, while every puddle that was
// tried stood up again from 0.45 on.
inline constexpr double kThreshold = 0.45;

// A law with the constant k of its continuation: the stiffness of one stretch at the threshold,
// the others at rest (Pa).
template <IsotropicLaw L>
struct Invertible {
  explicit Invertible(const L& base)
      : law(base), continuation(principal_stiffness(base, Vec3d{1, 1, kThreshold})(2, 2)) {}
  L law;
  double continuation;
};

namespace detail {

inline Vec3d clamped(const Vec3d& s) {
  return {s.x > kThreshold ? s.x : kThreshold, s.y > kThreshold ? s.y : kThreshold,
          s.z > kThreshold ? s.z : kThreshold};
}

// s_3 >= J / (s_1 s_2) >= 2 J / tr C: proves without an SVD that no stretch is below the threshold.
inline bool surely_regular(const Mat3d& F) {
  return 2 * determinant(F) > kThreshold * inner(F, F);
}

}  // namespace detail

// The energy that is reported, J/m^3, equation (12): exact above the threshold; below it the work
// done in crushing, the other stretches held. Any finite s with s.x >= s.y >= |s.z|.
template <IsotropicLaw L>
double extended_energy(const Invertible<L>& m, const Vec3d& s) {
  const Vec3d c = detail::clamped(s);
  const Vec3d d = s - c;
  return principal_energy(m.law, c) + dot(principal_stress(m.law, c), d) +
         0.5 * m.continuation * dot(d, d);
}

// The continued principal stresses, Pa, equation (13).
template <IsotropicLaw L>
Vec3d extended_stress(const Invertible<L>& m, const Vec3d& s) {
  const Vec3d c = detail::clamped(s);
  return principal_stress(m.law, c) + (s - c) * m.continuation;
}

// Energy density (J/m^3) and stress P (Pa) for every finite F.
template <IsotropicLaw L>
double energy_density(const Invertible<L>& m, const Mat3d& F) {
  if (detail::surely_regular(F)) return energy_density(m.law, F);
  return extended_energy(m, compute_polar_svd(F).s);
}
template <IsotropicLaw L>
Mat3d stress(const Invertible<L>& m, const Mat3d& F) {
  if (detail::surely_regular(F)) return stress(m.law, F);
  const PolarSvd svd = compute_polar_svd(F);
  return compose(svd.U, extended_stress(m, svd.s), svd.V);
}

}  // namespace sinew::material
