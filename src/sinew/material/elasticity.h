// Hyperelastic laws of isotropic tissue: parameters as plain structs, energy density and stress at
// a point as functions of the deformation gradient F. They know no mesh, element or file.
//
// Source: docs/theory/finite_volumes.md, equations (8)-(10). The papers: teran2003 section 4.4
// (linear elasticity), teran2005 section 5 (Mooney-Rivlin).
// Departures: Mooney-Rivlin's stress is the exact derivative of its energy; the printed one is not.
//
// symbol  meaning                                   unit
//   F     deformation gradient, dx/dX               -
//   s     principal stretches of the polar SVD      -
//   J     det F, relative volume                    -
//   Psi   strain energy per rest volume             J/m^3
//   P     first Piola-Kirchhoff stress, dPsi/dF     Pa
#pragma once

#include <concepts>
#include <variant>

#include "sinew/core/vec.h"

namespace sinew::material {

// Small-strain moduli of an isotropic solid, Pa.
struct Lame {
  double mu;      // shear modulus, > 0
  double lambda;  // first parameter, > -2/3 mu
};
// Preconditions: young_modulus > 0 Pa, -1 < poisson_ratio < 1/2.
Lame compute_lame(double young_modulus, double poisson_ratio);

// Linear elasticity in the frame that rotates with the material: the strain is S - I of F = R S.
struct Corotated {
  Lame moduli;
};
// Compressible neo-Hookean: mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J.
struct NeoHookean {
  Lame moduli;
};
// Mooney-Rivlin of the papers: c1 (I1 - 3) + c2 (I2 - 3) + K ln^2 J, I1 and I2 of J^(-2/3) C.
// Small strains: mu = 2 (c1 + c2), bulk modulus 2 K.
struct MooneyRivlin {
  double c1, c2;  // Pa
  double K;       // Pa
};

// What a law must offer. The functions of F hold for det F > 0 only (Corotated: for all F); the
// functions of s are the same law in principal stretches, from which invertible.h continues it.
template <class L>
concept IsotropicLaw = requires(const L& law, const Mat3d& F, const Vec3d& s) {
  { energy_density(law, F) } -> std::same_as<double>;      // J/m^3
  { stress(law, F) } -> std::same_as<Mat3d>;               // P, Pa
  { principal_energy(law, s) } -> std::same_as<double>;    // J/m^3
  { principal_stress(law, s) } -> std::same_as<Vec3d>;     // dPsi/ds, Pa
  { principal_stiffness(law, s) } -> std::same_as<Mat3d>;  // d2Psi/ds2, Pa
  { small_strain_moduli(law) } -> std::same_as<Lame>;      // Pa
  { scaled(law, 1.0) } -> std::same_as<L>;                 // all moduli times a factor
};

double energy_density(const Corotated& law, const Mat3d& F);
Mat3d stress(const Corotated& law, const Mat3d& F);
double principal_energy(const Corotated& law, const Vec3d& s);
Vec3d principal_stress(const Corotated& law, const Vec3d& s);
Mat3d principal_stiffness(const Corotated& law, const Vec3d& s);
Lame small_strain_moduli(const Corotated& law);
Corotated scaled(const Corotated& law, double factor);

double energy_density(const NeoHookean& law, const Mat3d& F);
Mat3d stress(const NeoHookean& law, const Mat3d& F);
double principal_energy(const NeoHookean& law, const Vec3d& s);
Vec3d principal_stress(const NeoHookean& law, const Vec3d& s);
Mat3d principal_stiffness(const NeoHookean& law, const Vec3d& s);
Lame small_strain_moduli(const NeoHookean& law);
NeoHookean scaled(const NeoHookean& law, double factor);

double energy_density(const MooneyRivlin& law, const Mat3d& F);
Mat3d stress(const MooneyRivlin& law, const Mat3d& F);
double principal_energy(const MooneyRivlin& law, const Vec3d& s);
Vec3d principal_stress(const MooneyRivlin& law, const Vec3d& s);
Mat3d principal_stiffness(const MooneyRivlin& law, const Vec3d& s);
Lame small_strain_moduli(const MooneyRivlin& law);
MooneyRivlin scaled(const MooneyRivlin& law, double factor);

static_assert(IsotropicLaw<Corotated> && IsotropicLaw<NeoHookean> && IsotropicLaw<MooneyRivlin>);

// The choice of law, made once a body.
using Law = std::variant<Corotated, NeoHookean, MooneyRivlin>;

// Rayleigh damping: C = mass_rate M + stiffness_time K, with K of the Green strain rate.
struct Damping {
  double mass_rate = 0;         // 1/s, >= 0
  double stiffness_time = 0.0;  // s, >= 0
};

struct Material {
  Law law;
  double density = 1000;  // kg/m^3, > 0
  Damping damping;
};

}  // namespace sinew::material
