// SIMD lanes against scalar code, on every instruction set that this machine has.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/instruction_set.h"
#include "sinew/core/vec.h"

#include "core/lanes_cases.h"

namespace sinew {
namespace {

template <class Real>
using Evaluate = void (*)(LaneCase, const Table&, const Real*, const Real*, Real*);

template <class Real>
using Decompose = void (*)(const Real*, Real*);

template <class Real>
struct Set {
  int width;
  Evaluate<Real> evaluate;
  Decompose<Real> decompose;
};
template <class Real>
std::vector<Set<Real>> available_sets() {
  std::vector<Set<Real>> sets = {{sse2::lane_width(Real{}), sse2::evaluate, sse2::decompose}};
  if (instruction_set() >= InstructionSet::kAvx2) {
    sets.push_back({avx2::lane_width(Real{}), avx2::evaluate, avx2::decompose});
  }
  if (instruction_set() >= InstructionSet::kAvx512) {
    sets.push_back({avx512::lane_width(Real{}), avx512::evaluate, avx512::decompose});
  }
  return sets;
}

constexpr double kRowsInDouble[] = {10, 11, 20, 21, 30, 31, 40, 41};
constexpr float kRowsInFloat[] = {10, 11, 20, 21, 30, 31, 40, 41};
constexpr Table kTable = {kRowsInDouble, kRowsInFloat};

// Each value in each lane, the others filled with something else.
template <class Real>
void compare(LaneCase which, const std::vector<Real>& values,
             const std::function<double(double)>& expected, double tolerance) {
  for (const Set<Real>& set : available_sets<Real>()) {
    const auto n = static_cast<std::size_t>(set.width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<Real> in(n), out(n);
      for (std::size_t lane = 0; lane < n; ++lane) in[lane] = values[(i + lane) % values.size()];
      set.evaluate(which, kTable, in.data(), in.data(), out.data());
      for (std::size_t lane = 0; lane < n; ++lane) {
        const double right = expected(static_cast<double>(in[lane]));
        EXPECT_NEAR(static_cast<double>(out[lane]), right, tolerance * std::abs(right))
            << "of " << in[lane] << " in lane " << lane << " of " << n;
      }
    }
  }
}

template <class Real>
std::vector<Real> spread(double low, double high) {  // evenly in the logarithm
  std::vector<Real> values;
  for (int i = 0; i <= 300; ++i) {
    values.push_back(static_cast<Real>(low * std::pow(high / low, i / 300.0)));
  }
  return values;
}

template <class Real>
class LanesOf : public testing::Test {
 public:
  // A few units of the last place.
  static constexpr double kTolerance = 3 * std::numeric_limits<Real>::epsilon();
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesOf, Reals);

TYPED_TEST(LanesOf, ExponentialAgreesWithTheLibrary) {
  std::vector<TypeParam> values = {0, 1, -1, TypeParam(1e-9), 20, -20};
  for (int i = -80; i <= 80; ++i) values.push_back(static_cast<TypeParam>(i * 0.983));
  compare<TypeParam>(
      LaneCase::kExp, values, [](double x) { return std::exp(x); }, this->kTolerance);
}

TYPED_TEST(LanesOf, LogarithmAgreesWithTheLibraryAlsoNearOne) {
  const auto log = [](double x) { return std::log(x); };
  compare<TypeParam>(LaneCase::kLog, spread<TypeParam>(1e-30, 1e30), log, this->kTolerance);
  compare<TypeParam>(LaneCase::kLog, spread<TypeParam>(0.7, 1.42), log, this->kTolerance);
  compare<TypeParam>(LaneCase::kLog, {TypeParam(1)}, log, 0);
}

TYPED_TEST(LanesOf, RootsAgreeWithTheLibrary) {
  const std::vector<TypeParam> values = spread<TypeParam>(1e-30, 1e30);
  const double tolerance = this->kTolerance;
  compare<TypeParam>(
      LaneCase::kCbrt, values, [](double x) { return std::cbrt(x); }, tolerance);
  compare<TypeParam>(
      LaneCase::kReciprocalCbrt, values, [](double x) { return 1 / std::cbrt(x); }, tolerance);
  compare<TypeParam>(
      LaneCase::kSqrt, values, [](double x) { return std::sqrt(x); }, tolerance);
  compare<TypeParam>(
      LaneCase::kReciprocalSqrt, values, [](double x) { return 1 / std::sqrt(x); }, tolerance);
}

TYPED_TEST(LanesOf, TablesAreReadByRow) {
  const std::vector<TypeParam> values = {0, TypeParam(0.99), 1, TypeParam(2.5), 3, TypeParam(3.9)};
  compare<TypeParam>(
      LaneCase::kFloor, values, [](double x) { return std::floor(x); }, 0);
  compare<TypeParam>(
      LaneCase::kLookUp, values, [](double x) { return 10 * std::floor(x) + 11; }, 0);
}

// a and b of every order in every lane.
TYPED_TEST(LanesOf, ChoicesAreMadeLaneByLane) {
  for (const Set<TypeParam>& set : available_sets<TypeParam>()) {
    const auto n = static_cast<std::size_t>(set.width);
    for (unsigned pattern = 0; pattern < 1U << std::min<std::size_t>(n, 8); ++pattern) {
      std::vector<TypeParam> a(n), b(n), out(n);
      const auto less = [&](std::size_t i) { return ((pattern >> (i % 8)) & 1U) != 0; };
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<TypeParam>(i % 3 == 0 ? -2 : 2);
        b[i] = static_cast<TypeParam>(less(i) ? a[i] + 1 : a[i] - 1);
      }
      const auto evaluate = [&](LaneCase which) {
        set.evaluate(which, kTable, a.data(), b.data(), out.data());
      };
      const auto expect = [&](const std::function<TypeParam(std::size_t)>& expected) {
        for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], expected(i)) << "lane " << i;
      };
      evaluate(LaneCase::kMin);
      expect([&](std::size_t i) { return std::min(a[i], b[i]); });
      evaluate(LaneCase::kMax);
      expect([&](std::size_t i) { return std::max(a[i], b[i]); });
      evaluate(LaneCase::kAbs);
      expect([&](std::size_t i) { return std::abs(a[i]); });
      evaluate(LaneCase::kPickLess);
      expect([&](std::size_t i) { return a[i] < b[i] && a[i] >= 0 ? a[i] : b[i]; });
      evaluate(LaneCase::kPickBetween);
      expect([&](std::size_t i) { return i >= 1 && i < 3 ? a[i] : b[i]; });
      std::size_t count = 0;
      TypeParam total = 0;
      for (std::size_t i = 0; i < n; ++i) count += less(i) ? 1 : 0, total += a[i];
      evaluate(LaneCase::kAnyLess);
      expect([&](std::size_t) { return TypeParam(count > 0 ? 1 : 0); });
      evaluate(LaneCase::kAllLess);
      expect([&](std::size_t) { return TypeParam(count == n ? 1 : 0); });
      evaluate(LaneCase::kSum);
      expect([&](std::size_t) { return total; });
    }
  }
}

// Plain, mirrored, flat, line-like, tiny and zero matrices, all kinds in one register.
std::vector<Mat3d> sample_matrices() {
  std::vector<Mat3d> samples = {Mat3d{},
                                Mat3d::identity(),
                                Mat3d::diagonal({1, 1, -1}),
                                Mat3d::diagonal({1, 0, 0}),
                                Mat3d::outer({1, 2, 3}, {-1, 0.5, 2}),
                                Mat3d::diagonal({2, 2, 1e-9})};
  std::uint32_t bits = 1;
  const auto draw = [&bits] {
    bits ^= bits << 13, bits ^= bits >> 17, bits ^= bits << 5;
    return static_cast<double>(bits) / 2147483648.0 - 1;
  };
  for (int i = 0; i < 60; ++i) {
    Mat3d F;
    for (std::size_t k = 0; k < 9; ++k) F(k / 3, k % 3) = draw();
    if (i % 4 == 1) F.col(2) = F.col(0) * 0.3 - F.col(1);
    if (i % 4 == 2) F *= 1e-15;
    if (i % 4 == 3) F = Mat3d::identity() + F * 0.1;
    samples.push_back(F);
  }
  return samples;
}

TYPED_TEST(LanesOf, PolarSvdRebuildsEveryMatrixFromRotations) {
  const std::vector<Mat3d> samples = sample_matrices();
  // Rounding of a few dozen rotations.
  constexpr double kError = 16 * std::numeric_limits<TypeParam>::epsilon();
  for (const Set<TypeParam>& set : available_sets<TypeParam>()) {
    const auto n = static_cast<std::size_t>(set.width);
    std::vector<TypeParam> in(9 * n), out(21 * n);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      for (std::size_t k = 0; k < 9 * n; ++k) {
        const Mat3d& F = samples[(i + k % n) % samples.size()];
        in[k] = static_cast<TypeParam>(F((k / n) % 3, k / n / 3));
      }
      set.decompose(in.data(), out.data());
      for (std::size_t lane = 0; lane < n; ++lane) {
        Mat3d F, U, V;
        for (std::size_t k = 0; k < 9; ++k) {
          F.col(k / 3)[k % 3] = static_cast<double>(in[k * n + lane]);
          U.col(k / 3)[k % 3] = static_cast<double>(out[k * n + lane]);
          V.col(k / 3)[k % 3] = static_cast<double>(out[(12 + k) * n + lane]);
        }
        const auto s = [&](std::size_t k) { return static_cast<double>(out[(9 + k) * n + lane]); };
        const double size = std::sqrt(inner(F, F));
        const Mat3d error = U * Mat3d::diagonal({s(0), s(1), s(2)}) * transpose(V) - F;
        EXPECT_LE(std::sqrt(inner(error, error)), kError * size);
        for (const Mat3d& R : {U, V}) {
          const Mat3d rest = transpose(R) * R - Mat3d::identity();
          EXPECT_LT(std::sqrt(inner(rest, rest)), kError);
          EXPECT_GT(determinant(R), 0);
        }
        EXPECT_GE(s(0), s(1) - kError * size);
        EXPECT_GE(s(1), std::abs(s(2)) - kError * size);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
