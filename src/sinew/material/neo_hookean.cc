#include <cmath>

#include "sinew/material/elasticity.h"

namespace sinew::material {

Lame compute_lame(double young_modulus, double poisson_ratio) {
  return {young_modulus / (2 * (1 + poisson_ratio)),
          young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))};
}

// Equation (9)
double energy_density(const NeoHookean& law, const Mat3d& F) {
  const double log_J = std::log(determinant(F));
  return 0.5 * law.moduli.mu * (inner(F, F) - 3) - law.moduli.mu * log_J +
         0.5 * law.moduli.lambda * log_J * log_J;
}

Mat3d stress(const NeoHookean& law, const Mat3d& F) {
  const double J = determinant(F);
  const Mat3d F_inverse_transpose = cofactor(F) * (1 / J);
  return F * law.moduli.mu +
         F_inverse_transpose * (law.moduli.lambda * std::log(J) - law.moduli.mu);
}

double principal_energy(const NeoHookean& law, const Vec3d& s) {
  return energy_density(law, Mat3d::diagonal(s));
}

Vec3d principal_stress(const NeoHookean& law, const Vec3d& s) {
  const double pressure = law.moduli.lambda * std::log(s.x * s.y * s.z) - law.moduli.mu;
  return s * law.moduli.mu + Vec3d{pressure / s.x, pressure / s.y, pressure / s.z};
}

Mat3d principal_stiffness(const NeoHookean& law, const Vec3d& s) {
  const double pressure = law.moduli.lambda * std::log(s.x * s.y * s.z) - law.moduli.mu;
  const Vec3d inverse{1 / s.x, 1 / s.y, 1 / s.z};
  Mat3d H = Mat3d::outer(inverse, inverse) * law.moduli.lambda;
  for (std::size_t i = 0; i < 3; ++i) H(i, i) += law.moduli.mu - pressure * inverse[i] * inverse[i];
  return H;
}

Lame small_strain_moduli(const NeoHookean& law) {
  return law.moduli;
}

NeoHookean scaled(const NeoHookean& law, double factor) {
  return {{law.moduli.mu * factor, law.moduli.lambda * factor}};
}

}  // namespace sinew::material
