#include "sinew/core/svd.h"
#include "sinew/material/elasticity.h"

namespace sinew::material {

double energy_density(const Corotated& law, const Mat3d& F) {
  return principal_energy(law, compute_polar_svd(F).s);
}

Mat3d stress(const Corotated& law, const Mat3d& F) {
  const PolarSvd svd = compute_polar_svd(F);
  return compose(svd.U, principal_stress(law, svd.s), svd.V);
}

// Equation (8)
double principal_energy(const Corotated& law, const Vec3d& s) {
  const Vec3d e = s - Vec3d{1, 1, 1};
  const double trace = e.x + e.y + e.z;
  return law.moduli.mu * dot(e, e) + 0.5 * law.moduli.lambda * trace * trace;
}

Vec3d principal_stress(const Corotated& law, const Vec3d& s) {
  const Vec3d e = s - Vec3d{1, 1, 1};
  const double pressure = law.moduli.lambda * (e.x + e.y + e.z);
  return e * (2 * law.moduli.mu) + Vec3d{pressure, pressure, pressure};
}

Mat3d principal_stiffness(const Corotated& law, const Vec3d& /*s*/) {
  const Vec3d ones{1, 1, 1};
  return Mat3d::identity() * (2 * law.moduli.mu) + Mat3d::outer(ones, ones) * law.moduli.lambda;
}

Lame small_strain_moduli(const Corotated& law) {
  return law.moduli;
}

Corotated scaled(const Corotated& law, double factor) {
  return {{law.moduli.mu * factor, law.moduli.lambda * factor}};
}

}  // namespace sinew::material
