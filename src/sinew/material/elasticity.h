// The choice of a tissue: which hyperelastic law, how heavy, how damped. For scenes, models and
// engines; the laws themselves are in tissue_law.h and corotated.h, their continuation to inverted
// elements in invertible.h.
#pragma once

#include <string>
#include <variant>

#include "sinew/material/activation_dynamics.h"
#include "sinew/material/corotated.h"
#include "sinew/material/tissue_law.h"

namespace sinew::material {

// The choice of law, made once a block of elements.
using Law = std::variant<Corotated, NeoHookean, MooneyRivlin, Muscle, Blemker>;

// What is wrong with a law's parameters, in words that name the parameter, its value and what is
// allowed; empty where all is well.
std::string check_law(const Law& law);

// Whether fibres would pull in a tissue of this law, active or not; and whether they would
// contract. Nothing of either happens where there is no fibre direction.
bool has_fibers(const Law& law);
bool can_contract(const Law& law);

// Rayleigh damping: C = mass_rate M + stiffness_time K, with K of the Green strain rate.
struct Damping {
  double mass_rate = 0;         // 1/s, >= 0
  double stiffness_time = 0.0;  // s, >= 0
};

struct Material {
  Law law;
  double density = 1000;  // kg/m^3, > 0
  Damping damping = {};
  // Dilatation averaged around lattice centres, against locking; for laws with U = kappa/2 ln^2 J.
  bool average_dilatation = false;
};

// Of the material's law.
Lame small_strain_moduli(const Material& material);

}  // namespace sinew::material
