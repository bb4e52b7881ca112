// Every law and preset under one name, random deformations and differences: what the tests of the
// laws have in common.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sinew/core/svd.h"
#include "sinew/material/presets.h"

namespace sinew::material {

struct SampleLaw {
  std::string name;
  Law law;
};

// Its straight part is as steep as the toe is where it ends.
inline Muscle make_weiss_muscle(double K, double lam_max = 1.4) {
  const double c3 = 15e3, c4 = 6.6, c5 = c3 * c4 * std::exp(c4 * (lam_max - 1));
  Muscle law{{3e4, 1e4, K}, make_weiss_curves({c3, c4, c5, lam_max})};
  law.fibers.max_stress = 3e5;
  law.fibers.active = make_constant_curve(1);
  return law;
}

inline std::vector<SampleLaw> all_laws() {
  std::vector<SampleLaw> laws = {
      {"Corotated", Corotated{compute_lame(1e5, 0.3)}},
      {"NeoHookean", NeoHookean{compute_lame(1e5, 0.4)}},
      {"MooneyRivlin", MooneyRivlin{3e4, 1e4, 6e4}},
      {"Weiss", make_weiss_muscle(3e6)},
      {"WeissWithShortToe", make_weiss_muscle(3e6, 1.1)},
      {"Blemker", Blemker{500, 700, 0, 5e5, make_blemker_curves({})}},
      {"BlemkerWithG3", Blemker{5e4, 7e4, 6e4, 5e5, make_blemker_curves({3e5, 0.05, 6.6, 1.1})}},
      {"BlemkerWithoutToe",
       Blemker{5e4, 7e4, 6e4, 5e5, make_blemker_curves({3e5, 0.05, 6.6, 1.1, 1.1})}}};
  for (const std::string_view name : kPresetNames) {
    laws.push_back({std::string(name), make_preset(name).law});
  }
  return laws;
}

inline Mat3d random_matrix(std::mt19937& rng, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Mat3d m;
  for (auto& c : m.columns) c = {uniform(rng), uniform(rng), uniform(rng)};
  return m;
}
inline Mat3d random_rotation(std::mt19937& rng) {
  return compute_polar_svd(random_matrix(rng, 1)).U;
}
// A deformation gradient with stretches in [0.55, 1.6] and any rotation.
inline Mat3d random_regular(std::mt19937& rng) {
  std::uniform_real_distribution<double> stretch(0.55, 1.6);
  const PolarSvd svd = compute_polar_svd(random_matrix(rng, 1));
  return compose(svd.U, {stretch(rng), stretch(rng), stretch(rng)}, svd.V);
}
inline Fiber<double> random_fiber(std::mt19937& rng) {
  std::uniform_real_distribution<double> activation(0, 1);
  return {random_rotation(rng).col(0), activation(rng)};
}

inline double size(const Mat3d& m) {
  return std::sqrt(inner(m, m));
}

// Fourth-order central difference of f (a number or a matrix) at F in direction dF.
template <class Function>
auto differentiate_along(const Function& f, const Mat3d& F, const Mat3d& dF, double step) {
  const auto pair = [&](double h) { return (f(F + dF * h) - f(F - dF * h)) * (1 / h); };
  return pair(step) * (2.0 / 3) - pair(2 * step) * (1.0 / 6);
}
// The gradient of an energy, entry by entry.
template <class Energy>
Mat3d differentiate(const Energy& energy, const Mat3d& F, double step) {
  Mat3d P;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      Mat3d dF;
      dF(i, j) = 1;
      P(i, j) = differentiate_along(energy, F, dF, step);
    }
  }
  return P;
}

}  // namespace sinew::material
