#include "material/law_cases.h"

#include "sinew/core/lanes_svd.h"
#include "sinew/material/continuation.h"

namespace sinew::material::SINEW_ISA {

using sinew::SINEW_ISA::Lanes;
using sinew::SINEW_ISA::load;
using sinew::SINEW_ISA::store;

namespace {

template <class Real>
Mat3<Lanes<Real>> load_matrix(const Real*& in) {
  Mat3<Lanes<Real>> m;
  for (std::size_t i = 0; i < 9; ++i, in += Lanes<Real>::kWidth) m(i % 3, i / 3) = load(in);
  return m;
}
template <class Real>
void store_matrix(const Mat3<Lanes<Real>>& m, Real*& out) {
  for (std::size_t i = 0; i < 9; ++i, out += Lanes<Real>::kWidth) store(m(i % 3, i / 3), out);
}
template <class Real>
void store_number(Lanes<Real> x, Real*& out) {
  store(x, out);
  out += Lanes<Real>::kWidth;
}

template <class L, class Real>
void compute(const Invertible<L>& m, const Real* in, Real* out) {
  using T = Lanes<Real>;
  const Mat3<T> F = load_matrix(in);
  Fiber<T> fiber;
  for (std::size_t i = 0; i < 3; ++i, in += T::kWidth) fiber.direction[i] = load(in);
  fiber.activation = load(in);
  in += T::kWidth;
  const Mat3<T> dF = load_matrix(in);
  store_matrix(stress(m.law, F, fiber), out);
  store_number(energy_density(m.law, F, fiber), out);
  store_matrix(stress_change(m.law, F, fiber, dF), out);
  const auto svd = compute_polar_svd(F);
  const Polar<T> polar{svd.U, svd.s, svd.V};
  store_matrix(continued_stress(m, polar, fiber), out);
  const StressAndEnergy<T> extended = extended_stress_and_energy(m, polar, fiber);
  store_matrix(extended.stress, out);
  store_number(extended.energy, out);
}

}  // namespace

int lane_width(float) {
  return Lanes<float>::kWidth;
}
int lane_width(double) {
  return Lanes<double>::kWidth;
}
void evaluate(const Invertible<NeoHookean>& m, const float* in, float* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<NeoHookean>& m, const double* in, double* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<MooneyRivlin>& m, const float* in, float* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<MooneyRivlin>& m, const double* in, double* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<Muscle>& m, const float* in, float* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<Muscle>& m, const double* in, double* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<Blemker>& m, const float* in, float* out) {
  compute(m, in, out);
}
void evaluate(const Invertible<Blemker>& m, const double* in, double* out) {
  compute(m, in, out);
}

}  // namespace sinew::material::SINEW_ISA
