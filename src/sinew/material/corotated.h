// Linear elasticity in the frame that rotates with the material: the strain is S - I of F = R S.
// For every finite F, in double only: each evaluation takes an SVD.
// Source: docs/theory/finite_volumes.md, equation (8); teran2003 section 4.4.
#pragma once

#include "sinew/material/fiber.h"
#include "sinew/material/neo_hookean.h"

namespace sinew::material {

struct Corotated {
  Lame moduli;
};

// Energy density (J/m^3), stress P = dPsi/dF (Pa) and its exact derivative in direction dF. The
// fibre has no part in it: the laws are all called alike.
double energy_density(const Corotated& law, const Mat3d& F, const Fiber<double>& fiber = {});
Mat3d stress(const Corotated& law, const Mat3d& F, const Fiber<double>& fiber = {});
Mat3d stress_change(const Corotated& law, const Mat3d& F, const Fiber<double>& fiber,
                    const Mat3d& dF);

// dPsi/ds (Pa) at principal stretches s.
Vec3d principal_stress(const Corotated& law, const Vec3d& s);

// Zero: there is no U of J alone, all of the law counts as distortion.
template <class T = double>
T bulk_modulus(const Corotated& /*law*/) {
  return T(0);
}
Lame small_strain_moduli(const Corotated& law);
Corotated scaled(const Corotated& law, double factor);

}  // namespace sinew::material
