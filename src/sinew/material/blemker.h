// The law of Blemker, Pinsky and Delp 2005: separate stiffness of shear along and across the
// fibres, fibres, volume part. For comparison with other programs and for users who have its
// parameters. Precondition of all functions: the fibre's direction is a unit vector.
//
// Source: docs/theory/muscle.md, equation (10).
//   Psi = G1 b1^2 + G2 b2^2 + (9/16) G3 ln^2 I4 + W(l, alpha) + kappa/2 ln^2 J
//   b1^2 = I5/I4^2 - 1,  cosh b2 = y = (I1 I4 - I5) / (2 sqrt I4),  invariants of J^(-2/3) C
// Departures: b2^2 is evaluated as one smooth function of y, with a series near y = 1, where the
// printed acosh has no derivative. With u = F a, w = F^T u:
//   n = |u|^2, b1^2 = |w|^2/n^2 - 1, y = (|H|^2 - |H a|^2) / (2 J sqrt n): no cube root is needed.
#pragma once

#include "sinew/material/muscle.h"

namespace sinew::material {

struct Blemker {
  double G1, G2, G3;  // Pa, > 0, > 0, >= 0; shear moduli at small strain are 2 G1 and 2 G2
  double K;           // Pa, > 0: half the bulk modulus, as in MooneyRivlin
  FiberCurves fibers;
};

// acosh(1 + z)^2, a smooth function for z > -2, with its first two derivatives.
template <class T>
struct SquaredAcosh {
  T value, first, second;
};
template <class T>
SquaredAcosh<T> squared_acosh(const T& z) {
  using std::log;
  // a[n+1] = -n^2 / ((n+1)(2n+1)) a[n], a[1] = 2; sixteen terms reach rounding at the seam.
  constexpr double kSeam = 0.2;
  const T near = min(z, T(kSeam));
  T value(0), first(0), second(0), power(1);  // power = z^(n-1)
  T before(0);                                // z^(n-2)
  double a = 2;
  for (int n = 1; n <= 16; ++n) {
    value += T(a) * power * near;
    first += T(a * n) * power;
    second += T(a * n * (n - 1)) * before;
    before = power;
    power *= near;
    a *= -double(n) * n / ((n + 1.0) * (2 * n + 1));
  }
  const T far = max(z, T(kSeam));
  const T square = far * (far + T(2));
  const T inverse_root = rsqrt(square);
  const T angle = log(T(1) + far + square * inverse_root);
  const T far_first = T(2) * angle * inverse_root;
  const T far_second = (T(2) - (T(1) + far) * far_first) / square;
  const auto is_near = z < T(kSeam);
  return {select(is_near, value, angle * angle), select(is_near, first, far_first),
          select(is_near, second, far_second)};
}

// n, m, q and J of F, and the fibre: what the energy depends on. In a crushed or inverted element
// n and J are softened values, and the slopes are theirs.
template <class T>
struct BlemkerKinematics {
  Mat3<T> H;
  Vec3<T> u, w, Ha;  // F a, F^T F a, H a
  T n, m, q, J;      // |u|^2, |w|^2, |H|^2 - |H a|^2, det F
  T n_slope, J_slope;
};
template <class T>
BlemkerKinematics<T> compute_kinematics(const Mat3<T>& F, const Vec3<T>& a) {
  const Mat3<T> H = cofactor(F);
  const Vec3<T> u = F * a, Ha = H * a;
  const Vec3<T> w = {dot(F.col(0), u), dot(F.col(1), u), dot(F.col(2), u)};
  return {
      H,    u,   w, Ha, dot(u, u), dot(w, w), inner(H, H) - dot(Ha, Ha), dot(F.col(0), H.col(0)),
      T(1), T(1)};
}

// The energy's derivatives with respect to the four scalars.
template <class T>
struct BlemkerTerms {
  T by_n, by_m, by_q, by_J;
};
// G2 b2^2 as a function of y.
template <class T>
struct BlemkerShear {
  T y, y_by_q;              // y = q y_by_q
  T energy, first, second;  // and the derivatives by y, Pa
};
template <class T>
BlemkerShear<T> compute_shear(const Blemker& law, const BlemkerKinematics<T>& k) {
  const T y_by_q = T(0.5) * rsqrt(k.n) / k.J;
  const T y = k.q * y_by_q;
  const SquaredAcosh<T> f = squared_acosh(y - T(1));
  const T G2(law.G2);
  return {y, y_by_q, G2 * f.value, G2 * f.first, G2 * f.second};
}
template <class T>
FiberStretch<T> blemker_stretch(const BlemkerKinematics<T>& k) {
  using std::sqrt;
  const T l = sqrt(k.n) * rcbrt(k.J);
  return {k.u, T(1) / l, l};
}

template <class T>
T distortion_energy(const Blemker& law, const BlemkerKinematics<T>& k, const Fiber<T>& fiber) {
  using std::log;
  const FiberStretch<T> stretch = blemker_stretch(k);
  T energy = T(law.G1) * (k.m / (k.n * k.n) - T(1)) + compute_shear(law, k).energy +
             fiber_energy(law.fibers, stretch, fiber);
  if (law.G3 > 0) {
    const T log_l = log(stretch.l);
    energy += T(2.25 * law.G3) * log_l * log_l;  // ln I4 = 2 ln l
  }
  return energy;
}

// l dW/dl of the fibre and of the G3 term, Pa.
template <class T>
T blemker_stretch_force(const Blemker& law, const FiberStretch<T>& s, const T& activation) {
  using std::log;
  T force = compute_tension(law.fibers, s.l, activation) * s.l;
  if (law.G3 > 0) force += T(4.5 * law.G3) * log(s.l);
  return force;
}
template <class T>
BlemkerTerms<T> compute_terms(const Blemker& law, const BlemkerKinematics<T>& k,
                              const T& activation) {
  const T inverse_n = T(1) / k.n, inverse_J = T(1) / k.J;
  const T force = blemker_stretch_force(law, blemker_stretch(k), activation);
  const BlemkerShear<T> shear = compute_shear(law, k);
  const T across = shear.first * shear.y;
  const T along = T(law.G1) * inverse_n * inverse_n;
  return {((force - across) * T(0.5) - T(2) * along * k.m) * inverse_n * k.n_slope, along,
          shear.first * shear.y_by_q, (force * T(-1.0 / 3) - across) * inverse_J * k.J_slope};
}
template <class T>
Mat3<T> compose_stress(const BlemkerTerms<T>& t, const BlemkerKinematics<T>& k, const Mat3<T>& F,
                       const Vec3<T>& a) {
  const Mat3<T> across = k.H - Mat3<T>::outer(k.Ha, a);
  return Mat3<T>::outer((k.u * t.by_n + F * k.w * t.by_m) * T(2), a) +
         Mat3<T>::outer(k.u * (T(2) * t.by_m), k.w) + cross_product(across * (T(2) * t.by_q), F) +
         k.H * t.by_J;
}

template <class T>
T distortion_energy(const Blemker& law, const Mat3<T>& F, const Fiber<T>& fiber) {
  return distortion_energy(law, compute_kinematics(F, fiber.direction), fiber);
}
template <class T>
Mat3<T> distortion_stress(const Blemker& law, const Mat3<T>& F, const Fiber<T>& fiber) {
  const BlemkerKinematics<T> k = compute_kinematics(F, fiber.direction);
  return compose_stress(compute_terms(law, k, fiber.activation), k, F, fiber.direction);
}
template <class T>
StressAndEnergy<T> distortion_stress_and_energy(const Blemker& law, const Mat3<T>& F,
                                                const Fiber<T>& fiber) {
  const BlemkerKinematics<T> k = compute_kinematics(F, fiber.direction);
  return {compose_stress(compute_terms(law, k, fiber.activation), k, F, fiber.direction),
          distortion_energy(law, k, fiber)};
}

// The changes of u, w, H and of the four scalars with dF.
template <class T>
struct BlemkerChange {
  Vec3<T> u, w;
  Mat3<T> H;
  T n, m, q, J;
};
template <class T>
BlemkerChange<T> compute_change(const BlemkerKinematics<T>& k, const Mat3<T>& F, const Vec3<T>& a,
                                const Mat3<T>& dF) {
  const Mat3<T> dH = cross_product(F, dF);
  const Vec3<T> du = dF * a;
  const Vec3<T> dw = transpose(dF) * k.u + transpose(F) * du;
  return {du,
          dw,
          dH,
          T(2) * dot(k.u, du),
          T(2) * dot(k.w, dw),
          T(2) * (inner(k.H, dH) - dot(k.Ha, dH * a)),
          inner(k.H, dF)};
}
template <class T>
BlemkerTerms<T> compute_term_changes(const Blemker& law, const BlemkerKinematics<T>& k,
                                     const BlemkerTerms<T>& t, const BlemkerChange<T>& d,
                                     const T& activation) {
  const T n_rate = d.n / k.n, J_rate = d.J / k.J;  // d ln n, d ln J
  const FiberStretch<T> s = blemker_stretch(k);
  const T l_rate = T(0.5) * n_rate - T(1.0 / 3) * J_rate;
  const T d_force =
      s.l * l_rate *
      (compute_tension(law.fibers, s.l, activation) +
       s.l * compute_tension_slope(law.fibers, s.l, activation) + T(4.5 * law.G3) * s.inverse_l);
  const BlemkerShear<T> shear = compute_shear(law, k);
  const T by_q_rate = -J_rate - T(0.5) * n_rate;
  const T dy = shear.y_by_q * d.q + shear.y * by_q_rate;
  const T d_across = (shear.second * shear.y + shear.first) * dy;
  const T d_by_m = T(-2) * t.by_m * n_rate;
  return {(T(0.5) * (d_force - d_across) - T(2) * (d_by_m * k.m + t.by_m * d.m)) / k.n -
              t.by_n * n_rate,
          d_by_m, shear.second * dy * shear.y_by_q + t.by_q * by_q_rate,
          (d_force * T(-1.0 / 3) - d_across) / k.J - t.by_J * J_rate};
}
template <class T>
Mat3<T> distortion_stress_change(const Blemker& law, const Mat3<T>& F, const Fiber<T>& fiber,
                                 const Mat3<T>& dF) {
  const Vec3<T>& a = fiber.direction;
  const BlemkerKinematics<T> k = compute_kinematics(F, a);
  const BlemkerTerms<T> t = compute_terms(law, k, fiber.activation);
  const BlemkerChange<T> d = compute_change(k, F, a, dF);
  const Mat3<T> across = k.H - Mat3<T>::outer(k.Ha, a);
  const Mat3<T> d_across = d.H - Mat3<T>::outer(d.H * a, a);
  const Vec3<T> by_a = (d.u * t.by_n + (dF * k.w + F * d.w) * t.by_m) * T(2);
  return compose_stress(compute_term_changes(law, k, t, d, fiber.activation), k, F, a) +
         Mat3<T>::outer(by_a, a) +
         (Mat3<T>::outer(d.u, k.w) + Mat3<T>::outer(k.u, d.w)) * (T(2) * t.by_m) +
         (cross_product(d_across, F) + cross_product(across, dF)) * (T(2) * t.by_q) + d.H * t.by_J;
}

// kappa of the volume part U = kappa/2 ln^2 J, Pa.
template <class T = double>
T bulk_modulus(const Blemker& law) {
  return T(2 * law.K);
}

// Of an isotropic solid as stiff in shear as the stiffer of the law's two shears.
inline Lame small_strain_moduli(const Blemker& law) {
  const double mu = 2 * (law.G1 > law.G2 ? law.G1 : law.G2);
  return {mu, 2 * law.K - (2.0 / 3) * mu};
}
inline Blemker scaled(const Blemker& law, double factor) {
  return {law.G1 * factor, law.G2 * factor, law.G3 * factor, law.K * factor,
          scaled(law.fibers, factor)};
}

}  // namespace sinew::material
