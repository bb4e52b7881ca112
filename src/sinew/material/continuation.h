// Any law, continued to crushed and inverted elements, so that every finite F has a finite energy
// and a stress that pushes it back. For the force loops, on the polar SVD, in `double` and in SIMD
// lanes; invertible.h has the same at a plain F.
//
// Source: docs/theory/finite_volumes.md, equations (11)-(13), docs/theory/muscle.md, equations
// (16)-(18). With the polar SVD F = U diag(s) V^T and c_i = max(s_i, threshold), d = s - c, there
// are two continuations, each with a threshold of its own (volume.h):
// - of the stress (Irving et al. 2004): the law at the clamped F plus U diag(k d) V^T. It turns
//   everything back, but is no gradient of an energy: no line search while a stretch is clamped.
// - of the energy (after Stomakhin et al. 2012): the isotropic part Psi (volume part included) as
//     E(s) = Psi(c) + Psi'(c) . d + k/2 |d|^2,
//   the fibre terms at F itself with a softened volume in place of J (fiber.h), and the exact
//   gradient of both. It is continuously differentiable except where s_2 = -s_3, far inside
//   inversion, where the sorted stretches themselves have a kink.
// Departures: the slope k is one positive constant of the law, since the law's own slope turns
// negative where the other stretches are large; the thresholds (docs/decisions/0002 and 0016).
#pragma once

#include "sinew/material/tissue_law.h"

namespace sinew::material {

// The part of a law that depends on the stretches only; fibre terms are what it lacks. (The
// surface stiffness of Muscle acts above one, where nothing is continued.)
inline NeoHookean isotropic_part(const NeoHookean& law) {
  return law;
}
inline MooneyRivlin isotropic_part(const MooneyRivlin& law) {
  return law;
}
inline MooneyRivlin isotropic_part(const Muscle& law) {
  return law.matrix;
}
inline MooneyRivlin isotropic_part(const Blemker& law) {
  return {0, 0, law.K};
}

// Which part of a law is meant: all of it, or without U, which an averaged dilatation replaces.
enum class Part { kWhole, kDistortion };

// A law with the constants k of its continuation (Pa): about the stiffness of one stretch at the
// threshold, the others at rest, which for the distortion is near 2 mu / threshold^2 in all laws.
template <class L>
struct Invertible {
  explicit Invertible(const L& base)
      : law(base),
        isotropic(isotropic_part(base)),
        distortion_slope(2 * small_strain_moduli(base).mu / (kThreshold * kThreshold)),
        slope(distortion_slope + volume_stiffness(base, kThreshold)),
        energy_distortion_slope(2 * small_strain_moduli(base).mu /
                                (kEnergyThreshold * kEnergyThreshold)),
        energy_slope(energy_distortion_slope + volume_stiffness(base, kEnergyThreshold)) {}
  L law;
  decltype(isotropic_part(law)) isotropic;
  double distortion_slope, slope;                // of the stress: Part::kDistortion, kWhole
  double energy_distortion_slope, energy_slope;  // of the energy
};

template <class T>
struct Polar {
  Mat3<T> U;
  Vec3<T> s;
  Mat3<T> V;
};

// s_3 >= J / (s_1 s_2) >= 2 J / tr C: proves without an SVD that no stretch is below the threshold.
template <class T>
auto surely_regular(const Mat3<T>& F, double threshold = kThreshold) {
  return T(2) * determinant(F) > T(threshold) * inner(F, F);
}

namespace detail {

template <class T>
Vec3<T> clamped(const Vec3<T>& s, double threshold) {
  const T start(threshold);
  return {max(s.x, start), max(s.y, start), max(s.z, start)};
}
template <class T>
Vec3<T> diagonal_of(const Mat3<T>& m) {
  return {m(0, 0), m(1, 1), m(2, 2)};
}
// The fibre as seen in the principal frame.
template <class T>
Fiber<T> turned(const Fiber<T>& fiber, const Mat3<T>& V) {
  return {transpose(V) * fiber.direction, fiber.activation};
}
template <Part part, class T, class L>
T slope_of(const Invertible<L>& m) {
  return T(part == Part::kWhole ? m.slope : m.distortion_slope);
}
template <Part part, class T, class L>
T energy_slope_of(const Invertible<L>& m) {
  return T(part == Part::kWhole ? m.energy_slope : m.energy_distortion_slope);
}
// An area and a volume: where fibre terms are softened.
inline constexpr double kSoftArea = kEnergyThreshold * kEnergyThreshold;
inline constexpr double kSoftVolume = kSoftArea * kEnergyThreshold;

template <Part part, class L, class T>
T energy_of(const L& law, const Mat3<T>& F) {
  if constexpr (part == Part::kWhole) return energy_density(law, F, Fiber<T>{});
  return distortion_energy(law, F, Fiber<T>{});
}
template <Part part, class L, class T>
Mat3<T> stress_of(const L& law, const Mat3<T>& F, const Fiber<T>& fiber) {
  if constexpr (part == Part::kWhole) return stress(law, F, fiber);
  return distortion_stress(law, F, fiber);
}
template <Part part, class L, class T>
Mat3<T> stress_change_of(const L& law, const Mat3<T>& F, const Mat3<T>& dF) {
  if constexpr (part == Part::kWhole) return stress_change(law, F, Fiber<T>{}, dF);
  return distortion_stress_change(law, F, Fiber<T>{}, dF);
}

// Energy and stress of what a law adds to its isotropic part, for every F.
template <class L, class T>
StressAndEnergy<T> added_terms(const L& /*law*/, const Mat3<T>& /*F*/, const Fiber<T>& /*fiber*/) {
  return {Mat3<T>{}, T(0)};
}
template <class T>
StressAndEnergy<T> added_terms(const Muscle& law, const Mat3<T>& F, const Fiber<T>& fiber) {
  const Mat3<T> H = cofactor(F);
  const Softened<T> J = soften(dot(F.col(0), H.col(0)), kSoftVolume);
  const T Jc = rcbrt(J.value);
  const FiberStretch<T> s = compute_stretch(F, fiber.direction, Jc * Jc);
  const FiberStress<T> t = compute_terms(law.fibers, s, fiber.activation, Jc * Jc * Jc, Jc * Jc);
  StressAndEnergy<T> result{
      H * (t.pressure * J.slope) + Mat3<T>::outer(s.Fa * t.along, fiber.direction),
      fiber_energy(law.fibers, s, fiber)};
  if (law.surface_stiffness > 0) {
    result.stress += elongation_stress(law.surface_stiffness, F);
    result.energy += elongation_energy(law.surface_stiffness, F);
  }
  return result;
}
template <class T>
StressAndEnergy<T> added_terms(const Blemker& law, const Mat3<T>& F, const Fiber<T>& fiber) {
  BlemkerKinematics<T> k = compute_kinematics(F, fiber.direction);
  const Softened<T> n = soften(k.n, kSoftArea);
  const Softened<T> J = soften(k.J, kSoftVolume);
  k.n = n.value, k.n_slope = n.slope;
  k.J = J.value, k.J_slope = J.slope;
  return {compose_stress(compute_terms(law, k, fiber.activation), k, F, fiber.direction),
          distortion_energy(law, k, fiber)};
}

}  // namespace detail

// The continued stress P, Pa.
template <Part part = Part::kWhole, class L, class T>
Mat3<T> continued_stress(const Invertible<L>& m, const Polar<T>& svd, const Fiber<T>& fiber) {
  const Vec3<T> c = detail::clamped(svd.s, kThreshold);
  Mat3<T> P = detail::stress_of<part>(m.law, Mat3<T>::diagonal(c), detail::turned(fiber, svd.V));
  P += Mat3<T>::diagonal((svd.s - c) * detail::slope_of<part, T>(m));
  return svd.U * P * transpose(svd.V);
}

// The continued energy (J/m^3) with its exact gradient (Pa).
template <Part part = Part::kWhole, class L, class T>
StressAndEnergy<T> extended_stress_and_energy(const Invertible<L>& m, const Polar<T>& svd,
                                              const Fiber<T>& fiber) {
  const Vec3<T> c = detail::clamped(svd.s, kEnergyThreshold);
  const Vec3<T> d = svd.s - c;
  const T slope = detail::energy_slope_of<part, T>(m);
  const Mat3<T> Fc = Mat3<T>::diagonal(c);
  const Vec3<T> p = detail::diagonal_of(detail::stress_of<part>(m.isotropic, Fc, Fiber<T>{}));
  const Vec3<T> mixed =
      detail::diagonal_of(detail::stress_change_of<part>(m.isotropic, Fc, Mat3<T>::diagonal(d)));
  StressAndEnergy<T> result =
      detail::added_terms(m.law, Mat3<T>::diagonal(svd.s), detail::turned(fiber, svd.V));
  result.energy +=
      detail::energy_of<part>(m.isotropic, Fc) + dot(p, d) + T(0.5) * slope * dot(d, d);
  for (std::size_t i = 0; i < 3; ++i) {
    // A stretch that is not clamped moves the point c at which the law is expanded.
    result.stress(i, i) += p[i] + slope * d[i] + select(d[i] < T(0), T(0), mixed[i]);
  }
  result.stress = svd.U * result.stress * transpose(svd.V);
  return result;
}
template <Part part = Part::kWhole, class L, class T>
T extended_energy(const Invertible<L>& m, const Polar<T>& svd, const Fiber<T>& fiber) {
  return extended_stress_and_energy<part>(m, svd, fiber).energy;
}
template <Part part = Part::kWhole, class L, class T>
Mat3<T> extended_stress(const Invertible<L>& m, const Polar<T>& svd, const Fiber<T>& fiber) {
  return extended_stress_and_energy<part>(m, svd, fiber).stress;
}

// U and its derivatives for every J (volume.h).
template <class L, class T>
T volume_energy(const Invertible<L>& m, const T& J) {
  return continued_volume_energy(bulk_modulus<T>(m.law), J);
}
template <class L, class T>
T volume_pressure(const Invertible<L>& m, const T& J) {
  return continued_volume_pressure(bulk_modulus<T>(m.law), J);
}
template <class L, class T>
T volume_stiffness(const Invertible<L>& m, const T& J) {
  return continued_volume_stiffness(bulk_modulus<T>(m.law), J);
}

}  // namespace sinew::material
