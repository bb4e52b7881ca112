#include "sinew/solver/field_algebra.h"

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

#include "elastic_lattice.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kSizes[] = {1, 15, 16, 17, 1000, 50000};

TEST(FieldAlgebra, DotIsTheSumOfProducts) {
  for (const std::size_t n : kSizes) {
    const Field3f a = make_noise(n, {}, 1), b = make_noise(n, {}, 2);
    Field3d c, d;
    copy(a, c);
    copy(b, d);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += sinew::dot(c[i], d[i]);
    // Rounding of a sum of 3 n numbers below 1, in double.
    EXPECT_NEAR(dot(a, b), expected, 1e-15 * static_cast<double>(3 * n));
    EXPECT_NEAR(dot(c, d), expected, 1e-15 * static_cast<double>(3 * n));
  }
}

TEST(FieldAlgebra, CombinationsActOnEveryNodeAndKeepThePaddingZero) {
  for (const std::size_t n : kSizes) {
    const Field3f x = make_noise(n, {}, 1), before = make_noise(n, {}, 2);
    Field3f y = before;
    combine(2.0F, x, -3.0F, y);
    add_scaled(0.5F, x, y);
    scale(2.0F, y);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LT(norm(y[i] - (5.0F * x[i] - 6.0F * before[i])), 1e-5F);
    }
    for (std::size_t i = n; i < y.stride(); ++i) EXPECT_EQ(y.z()[i], 0.0F);
  }
}

TEST(FieldAlgebra, AFactorOfZeroForgetsWhatWasThere) {
  const Field3f x = make_noise(40, {});
  Field3f y(40);
  y.set(7, {std::numeric_limits<float>::quiet_NaN(), 0, 0});
  combine(1.0F, x, 0.0F, y);
  EXPECT_EQ(y.values(), x.values());
}

TEST(FieldAlgebra, CopiesBetweenFloatAndDouble) {
  const Field3f x = make_noise(100, {});
  Field3d wide;
  Field3f back;
  copy(x, wide);
  copy(wide, back);
  EXPECT_EQ(back.values(), x.values());
  EXPECT_EQ(wide.size(), 100U);
}

TEST(FieldAlgebra, SumsHaveTheSameBitsOnOneThreadAndOnTwo) {
  const Field3f a = make_noise(50000, {}, 1), b = make_noise(50000, {}, 2);
  double one = 0, two = 0;
  {
    const ThreadLimit limit(1);
    one = dot(a, b);
  }
  {
    const ThreadLimit limit(2);
    two = dot(a, b);
  }
  EXPECT_EQ(one, two);
  EXPECT_NE(one, 0);
}

TEST(FieldAlgebra, RefusesFieldsOfDifferentSizes) {
  EXPECT_THROW(dot(Field3f(3), Field3f(4)), std::logic_error);
}

}  // namespace
}  // namespace sinew::solver
