// Every law in SIMD lanes against the same law in double, on every instruction set of this machine:
// each lane has a point of its own, regular, crushed or inverted.
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/material/invertible.h"

#include "material/law_cases.h"
#include "material/sample_laws.h"

namespace sinew::material {
namespace {

struct Point {
  Mat3d F;
  Fiber<double> fiber;
  Mat3d dF;
};

// Stretches on all branches, but never on a seam of one, where rounding decides.
Point random_point(std::mt19937& rng) {
  std::uniform_real_distribution<double> regular(0.5, 1.7), crushed(0.1, 0.4);
  std::uniform_int_distribution<int> kind(0, 3);
  const int k = kind(rng);
  const Mat3d U = random_rotation(rng), V = random_rotation(rng);
  const double last = k < 2 ? regular(rng) : (k == 2 ? crushed(rng) : -crushed(rng));
  Point point{compose(U, {regular(rng), regular(rng), last}, V), random_fiber(rng),
              random_matrix(rng, 1)};
  if (kind(rng) == 0) point.fiber.activation = 0;
  return point;
}

// What evaluate computes, in double.
template <class L>
std::vector<double> expected_outputs(const Invertible<L>& m, const Point& p) {
  std::vector<double> out;
  const auto add = [&](const Mat3d& a) {
    for (std::size_t i = 0; i < 9; ++i) out.push_back(a(i % 3, i / 3));
  };
  add(stress(m.law, p.F, p.fiber));
  out.push_back(energy_density(m.law, p.F, p.fiber));
  add(stress_change(m.law, p.F, p.fiber, p.dF));
  add(stress(m, p.F, p.fiber));
  add(gradient_stress(m, p.F, p.fiber));
  out.push_back(energy_density(m, p.F, p.fiber));
  return out;
}

template <class Real>
void store_point(const Point& p, std::size_t lane, std::size_t width, std::vector<Real>& in) {
  std::size_t row = 0;
  const auto put = [&](double x) { in[row++ * width + lane] = static_cast<Real>(x); };
  for (std::size_t i = 0; i < 9; ++i) put(p.F(i % 3, i / 3));
  for (std::size_t i = 0; i < 3; ++i) put(p.fiber.direction[i]);
  put(p.fiber.activation);
  for (std::size_t i = 0; i < 9; ++i) put(p.dF(i % 3, i / 3));
}

// Outputs come in groups of a stress or an energy: each is compared on its own scale.
constexpr std::size_t kGroups[] = {0, 9, 10, 19, 28, 37, 38};

void expect_group(const std::vector<double>& got, const std::vector<double>& right,
                  std::size_t group, double scale, double tolerance) {
  double error = 0, norm = 0;
  for (std::size_t i = kGroups[group]; i < kGroups[group + 1]; ++i) {
    error += (got[i] - right[i]) * (got[i] - right[i]);
    norm += right[i] * right[i];
  }
  EXPECT_LE(std::sqrt(error), tolerance * (std::sqrt(norm) + scale)) << "output " << group;
}

template <class Real, class L, class Evaluate>
void compare(const Invertible<L>& m, std::size_t width, const Evaluate& evaluate,
             double tolerance) {
  std::mt19937 rng(11);
  const Lame moduli = small_strain_moduli(m.law);
  for (int n = 0; n < 50; ++n) {
    std::vector<Real> in(kLawInputs * width), out(kLawOutputs * width);
    std::vector<Point> points;
    for (std::size_t lane = 0; lane < width; ++lane) {
      points.push_back(random_point(rng));
      store_point(points.back(), lane, width, in);
    }
    evaluate(m, in.data(), out.data());
    for (std::size_t lane = 0; lane < width; ++lane) {
      const std::vector<double> right = expected_outputs(m, points[lane]);
      std::vector<double> got(kLawOutputs);
      for (std::size_t i = 0; i < kLawOutputs; ++i) {
        got[i] = static_cast<double>(out[i * width + lane]);
      }
      const bool positive = determinant(points[lane].F) > 0;
      for (std::size_t group = positive ? 0 : 3; group < 6; ++group) {
        expect_group(got, right, group, moduli.mu + std::abs(moduli.lambda), tolerance);
      }
    }
  }
}

// Measured: 7e-13 and 7e-6. Float lanes are compared with double at the unrounded point: 1e-7 of F,
// times the stiffness at stretches of 0.1, and tables in float.
template <class L>
void compare_sets(const L& law) {
  constexpr double kDouble = 5e-12, kFloat = 5e-5;
  const Invertible m(law);
  const auto width = [](int n) { return static_cast<std::size_t>(n); };
  const auto on = [&](auto evaluate_float, auto evaluate_double, int floats, int doubles) {
    compare<float>(m, width(floats), evaluate_float, kFloat);
    compare<double>(m, width(doubles), evaluate_double, kDouble);
  };
  const auto evaluate_sse2 = [](auto&&... a) { sse2::evaluate(a...); };
  const auto evaluate_avx2 = [](auto&&... a) { avx2::evaluate(a...); };
  const auto evaluate_avx512 = [](auto&&... a) { avx512::evaluate(a...); };
  on(evaluate_sse2, evaluate_sse2, sse2::lane_width(1.0F), sse2::lane_width(1.0));
  if (instruction_set() >= InstructionSet::kAvx2) {
    on(evaluate_avx2, evaluate_avx2, avx2::lane_width(1.0F), avx2::lane_width(1.0));
  }
  if (instruction_set() >= InstructionSet::kAvx512) {
    on(evaluate_avx512, evaluate_avx512, avx512::lane_width(1.0F), avx512::lane_width(1.0));
  }
}

TEST(LawLanes, AgreeWithDoubleInEveryLane) {
  for (const auto& [name, any] : all_laws()) {
    SCOPED_TRACE(name);
    if (const auto* law = std::get_if<NeoHookean>(&any)) compare_sets(*law);
    if (const auto* law = std::get_if<MooneyRivlin>(&any)) compare_sets(*law);
    if (const auto* law = std::get_if<Muscle>(&any)) compare_sets(*law);
    if (const auto* law = std::get_if<Blemker>(&any)) compare_sets(*law);
  }
}

}  // namespace
}  // namespace sinew::material
