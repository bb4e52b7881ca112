#include "sinew/material/elasticity.h"

#include <cmath>

#include <fmt/format.h>

namespace sinew::material {
namespace {

// The first complaint stays.
struct Complaint {
  std::string text;
  void require(bool condition, const char* name, double value, const char* allowed) {
    if (text.empty() && !(condition && std::isfinite(value))) {
      text = fmt::format("{} is {}; it must be {}", name, value, allowed);
    }
  }
};

void check(const Lame& moduli, Complaint& c) {
  c.require(moduli.mu > 0, "mu", moduli.mu, "above 0 Pa");
  c.require(moduli.lambda > -2.0 / 3 * moduli.mu, "lambda", moduli.lambda, "above -2/3 mu");
}
void check(const FiberCurves& fibers, Complaint& c) {
  c.require(fibers.max_stress >= 0, "max_stress", fibers.max_stress, "0 Pa or more");
  c.require(fibers.passive_stress >= 0, "passive_stress", fibers.passive_stress, "0 Pa or more");
}
void check(const Corotated& law, Complaint& c) {
  check(law.moduli, c);
}
void check(const NeoHookean& law, Complaint& c) {
  check(law.moduli, c);
}
void check(const MooneyRivlin& law, Complaint& c) {
  c.require(law.c1 >= 0, "c1", law.c1, "0 Pa or more");
  c.require(law.c2 >= 0, "c2", law.c2, "0 Pa or more");
  c.require(law.c1 + law.c2 > 0, "c1 + c2", law.c1 + law.c2, "above 0 Pa");
  c.require(law.K > 0, "K", law.K, "above 0 Pa");
}
void check(const Muscle& law, Complaint& c) {
  check(law.matrix, c);
  check(law.fibers, c);
  c.require(law.surface_stiffness >= 0, "surface_stiffness", law.surface_stiffness, "0 Pa or more");
}
void check(const Blemker& law, Complaint& c) {
  c.require(law.G1 > 0, "G1", law.G1, "above 0 Pa");
  c.require(law.G2 > 0, "G2", law.G2, "above 0 Pa");
  c.require(law.G3 >= 0, "G3", law.G3, "0 Pa or more");
  c.require(law.K > 0, "K", law.K, "above 0 Pa");
  check(law.fibers, c);
}

// The fibres of a law, null where it knows none.
const FiberCurves* find_fibers(const Law& law) {
  return std::visit(
      [](const auto& l) -> const FiberCurves* {
        if constexpr (requires { l.fibers; }) {
          return &l.fibers;
        } else {
          return nullptr;
        }
      },
      law);
}

}  // namespace

Lame compute_lame(double young_modulus, double poisson_ratio) {
  return {young_modulus / (2 * (1 + poisson_ratio)),
          young_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))};
}

std::string check_law(const Law& law) {
  Complaint complaint;
  std::visit([&](const auto& l) { check(l, complaint); }, law);
  return complaint.text;
}

bool has_fibers(const Law& law) {
  const FiberCurves* fibers = find_fibers(law);
  return fibers != nullptr && (fibers->max_stress > 0 || fibers->passive_stress > 0);
}

bool can_contract(const Law& law) {
  const FiberCurves* fibers = find_fibers(law);
  return fibers != nullptr && fibers->max_stress > 0;
}

Lame small_strain_moduli(const Material& material) {
  return std::visit([](const auto& law) { return small_strain_moduli(law); }, material.law);
}

}  // namespace sinew::material
