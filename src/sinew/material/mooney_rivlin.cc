#include <cmath>

#include "sinew/material/elasticity.h"

namespace sinew::material {
namespace {

// Invariants of the isochoric right Cauchy-Green tensor J^(-2/3) C.
struct Invariants {
  double J, Jc2;  // Jc2 = J^(-2/3)
  Mat3d C;
  double trace_C;
  double I1, I2;
};

Invariants compute_invariants(const Mat3d& F) {
  const double J = determinant(F);
  const double Jc = 1 / std::cbrt(J);
  const double Jc2 = Jc * Jc;
  const Mat3d C = transpose(F) * F;
  const double t = trace(C);
  return {J, Jc2, C, t, Jc2 * t, 0.5 * Jc2 * Jc2 * (t * t - inner(C, C))};
}

}  // namespace

// Equation (10)
double energy_density(const MooneyRivlin& law, const Mat3d& F) {
  const Invariants v = compute_invariants(F);
  const double log_J = std::log(v.J);
  return law.c1 * (v.I1 - 3) + law.c2 * (v.I2 - 3) + law.K * log_J * log_J;
}

Mat3d stress(const MooneyRivlin& law, const Mat3d& F) {
  const Invariants v = compute_invariants(F);
  const double Jc4 = v.Jc2 * v.Jc2;
  const Mat3d F_inverse_transpose = cofactor(F) * (1 / v.J);
  return F * (2 * (law.c1 * v.Jc2 + law.c2 * Jc4 * v.trace_C)) - (F * v.C) * (2 * law.c2 * Jc4) +
         F_inverse_transpose *
             (2 * law.K * std::log(v.J) - (2.0 / 3) * (law.c1 * v.I1 + 2 * law.c2 * v.I2));
}

double principal_energy(const MooneyRivlin& law, const Vec3d& s) {
  return energy_density(law, Mat3d::diagonal(s));
}

Vec3d principal_stress(const MooneyRivlin& law, const Vec3d& s) {
  const Mat3d P = stress(law, Mat3d::diagonal(s));
  return {P(0, 0), P(1, 1), P(2, 2)};
}

// Derivative of dPsi/ds_i = J^(-2/3) c1 a_i + J^(-4/3) c2 b_i + 2 K ln J / s_i with
// a_i = 2 s_i - 2/3 S / s_i, b_i = 2 s_i (S - s_i^2) - 4/3 Q / s_i, S = sum s^2, Q = sum s_i^2
// s_j^2.
Mat3d principal_stiffness(const MooneyRivlin& law, const Vec3d& s) {
  const double J = s.x * s.y * s.z;
  const double Jc2 = 1 / std::cbrt(J * J);
  const double S = dot(s, s);
  const double Q = J * J * (1 / (s.x * s.x) + 1 / (s.y * s.y) + 1 / (s.z * s.z));
  const double log_J = std::log(J);
  Mat3d H;
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = 2 * s[i] - (2.0 / 3) * S / s[i];
    const double b = 2 * s[i] * (S - s[i] * s[i]) - (4.0 / 3) * Q / s[i];
    for (std::size_t j = 0; j < 3; ++j) {
      const bool same = i == j;
      const double da = (same ? 2 + (2.0 / 3) * S / (s[i] * s[i]) : 0) - (4.0 / 3) * s[j] / s[i];
      const double dQ = 2 * s[j] * (S - s[j] * s[j]);
      const double db =
          (same ? 2 * (S - s[i] * s[i]) + (4.0 / 3) * Q / (s[i] * s[i]) : 4 * s[i] * s[j]) -
          (4.0 / 3) * dQ / s[i];
      const double volumetric = 2 / (s[i] * s[j]) - (same ? 2 * log_J / (s[i] * s[i]) : 0);
      H(i, j) = law.c1 * Jc2 * (da - (2.0 / 3) * a / s[j]) +
                law.c2 * Jc2 * Jc2 * (db - (4.0 / 3) * b / s[j]) + law.K * volumetric;
    }
  }
  return H;
}

Lame small_strain_moduli(const MooneyRivlin& law) {
  const double mu = 2 * (law.c1 + law.c2);
  return {mu, 2 * law.K - (2.0 / 3) * mu};
}

MooneyRivlin scaled(const MooneyRivlin& law, double factor) {
  return {law.c1 * factor, law.c2 * factor, law.K * factor};
}

}  // namespace sinew::material
