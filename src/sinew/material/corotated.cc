#include "sinew/material/corotated.h"

#include <algorithm>

#include "sinew/core/svd.h"

namespace sinew::material {

// Equation (8)
double energy_density(const Corotated& law, const Mat3d& F, const Fiber<double>& /*fiber*/) {
  const Vec3d e = compute_polar_svd(F).s - Vec3d{1, 1, 1};
  const double trace = e.x + e.y + e.z;
  return law.moduli.mu * dot(e, e) + 0.5 * law.moduli.lambda * trace * trace;
}

Mat3d stress(const Corotated& law, const Mat3d& F, const Fiber<double>& /*fiber*/) {
  const PolarSvd svd = compute_polar_svd(F);
  return compose(svd.U, principal_stress(law, svd.s), svd.V);
}

// P = 2 mu (F - R) + lambda tr(S - I) R, and R turns by the skew part of dF in the principal frame.
Mat3d stress_change(const Corotated& law, const Mat3d& F, const Fiber<double>& /*fiber*/,
                    const Mat3d& dF) {
  const PolarSvd svd = compute_polar_svd(F);
  const Mat3d d = transpose(svd.U) * dF * svd.V;
  Mat3d turn;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      // s_i + s_j >= 0; zero only where R is undefined.
      if (i != j) turn(i, j) = (d(i, j) - d(j, i)) / std::max(svd.s[i] + svd.s[j], 1e-12);
    }
  }
  const auto [mu, lambda] = law.moduli;
  const double excess = svd.s.x + svd.s.y + svd.s.z - 3;
  const Mat3d principal =
      (d - turn) * (2 * mu) + turn * (lambda * excess) + Mat3d::identity() * (lambda * trace(d));
  return svd.U * principal * transpose(svd.V);
}

Vec3d principal_stress(const Corotated& law, const Vec3d& s) {
  const Vec3d e = s - Vec3d{1, 1, 1};
  const double pressure = law.moduli.lambda * (e.x + e.y + e.z);
  return e * (2 * law.moduli.mu) + Vec3d{pressure, pressure, pressure};
}

Lame small_strain_moduli(const Corotated& law) {
  return law.moduli;
}

Corotated scaled(const Corotated& law, double factor) {
  return {{law.moduli.mu * factor, law.moduli.lambda * factor}};
}

}  // namespace sinew::material
