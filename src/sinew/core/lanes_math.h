// exp, log and cbrt in lanes: relative error near 1e-7 in float and 1e-15 in double. Part of
// lanes.h. Polynomials interpolate at Chebyshev points, their error below half a last place.
#pragma once

#include <bit>
#include <type_traits>

#include "sinew/core/lanes.h"

namespace sinew::SINEW_ISA {

// How the bits of a Real are laid out, and the degrees its precision needs.
template <class Real>
struct Format;
template <>
struct Format<float> {
  using Int = std::int32_t;
  static constexpr int kFraction = 23;
  static constexpr Int kBias = 127;
  static constexpr double kLog[] = {0.33333342522578013, 0.19994389141081403, 0.14790026521594221};
  static constexpr double kExp[] = {0.5, 0.16666576666119928, 0.041666554212984153,
                                    0.0083632328836826184, 0.0013926250831497611};
  static constexpr double kLargestExponent = 88;
};
template <>
struct Format<double> {
  using Int = std::int64_t;
  static constexpr int kFraction = 52;
  static constexpr Int kBias = 1023;
  static constexpr double kLog[] = {0.33333333333333348, 0.19999999999949722,  0.14285714313001635,
                                    0.11111105565129939, 0.090914447278374735, 0.076658553091053863,
                                    0.073082927124443114};
  static constexpr double kExp[] = {0.50000000000000011,    0.16666666666666669,
                                    0.041666666666623824,   0.008333333333330039,
                                    0.0013888888917367081,  0.00019841269863171557,
                                    2.4801521057868204e-05, 2.7557268276905696e-06,
                                    2.7620201591031547e-07, 2.5100472505694996e-08};
  static constexpr double kLargestExponent = 708;
};

namespace detail {

template <class Real, int kSize>
Lanes<Real> polynomial(const double (&coefficients)[kSize], Lanes<Real> x) {
  Lanes<Real> value = coefficients[kSize - 1];
  for (int k = kSize - 2; k >= 0; --k) value = value * x + coefficients[k];
  return value;
}

// 1.5 2^fraction: a small integer added to it shows in the lowest bits, and the other way round.
template <class Real>
constexpr double magic() {
  return 1.5 * static_cast<double>(std::int64_t{1} << Format<Real>::kFraction);
}
template <class Real>
auto bits_of(Lanes<Real> a) {
  return reinterpret_cast<typename Lanes<Real>::Bits>(a.v);
}
template <class Real>
Lanes<Real> from_bits(typename Lanes<Real>::Bits bits) {
  return Lanes<Real>(reinterpret_cast<typename Lanes<Real>::Vector>(bits));
}
// Small integers as reals (|i| < 2^22) and rounded reals as integers.
template <class Real>
Lanes<Real> real_of(typename Lanes<Real>::Bits i) {
  const Lanes<Real> shift = magic<Real>();
  return from_bits<Real>(i + bits_of(shift)) - shift;
}
template <class Real>
typename Lanes<Real>::Bits rounded(Lanes<Real> a) {
  const Lanes<Real> shift = magic<Real>();
  return bits_of(a + shift) - bits_of(shift);
}

}  // namespace detail

// Precondition: |x| below 88 (float) or 708 (double); beyond it the result is that of the border.
template <class Real>
Lanes<Real> exp(Lanes<Real> x) {
  using F = Format<Real>;
  constexpr double kLn2 = 0.69314718055994530942, kLn2High = 0.693145751953125;  // 15 bits
  constexpr double kLn2Low = 1.42860682030941723212e-6;
  x = min(max(x, Lanes<Real>(-F::kLargestExponent + 1)), Lanes<Real>(F::kLargestExponent));
  const auto n = detail::rounded(x * (1 / kLn2));
  const Lanes<Real> k = detail::real_of<Real>(n);
  const Lanes<Real> r = (x - k * kLn2High) - k * kLn2Low;
  const Lanes<Real> value = 1.0 + (r + (r * r) * detail::polynomial(F::kExp, r));
  const auto one = static_cast<typename F::Int>(1);
  return value * detail::from_bits<Real>((n + F::kBias) * (one << F::kFraction));
}

// Precondition: x is positive and not denormal.
template <class Real>
Lanes<Real> log(Lanes<Real> x) {
  using F = Format<Real>;
  constexpr double kLn2High = 0.693145751953125, kLn2Low = 1.42860682030941723212e-6;
  // x = 2^k m with m in [sqrt(1/2), sqrt(2)): near 1, where the result is small, k is 0.
  const auto root_half = std::bit_cast<typename F::Int>(static_cast<Real>(0.70710678118654752440));
  const auto offset = detail::bits_of(x) - root_half;
  const auto exponent = offset >> F::kFraction;
  const auto one = static_cast<typename F::Int>(1);
  const Lanes<Real> m =
      detail::from_bits<Real>(detail::bits_of(x) - exponent * (one << F::kFraction));
  const Lanes<Real> k = detail::real_of<Real>(exponent);
  // log m = 2 artanh(s) = 2 s (1 + z q(z)), z = s^2
  const Lanes<Real> s = (m - 1.0) / (m + 1.0);
  const Lanes<Real> z = s * s;
  const Lanes<Real> tail = (s + s) * (z * detail::polynomial(F::kLog, z));
  return k * kLn2High + ((s + s) + (tail + k * kLn2Low));
}

// 1/cbrt(x). Precondition: x is positive, and normal as a float.
template <class Real>
Lanes<Real> rcbrt(Lanes<Real> x) {
  // The bits of a float are nearly its logarithm: minus a third of them is a guess within 3.5 %.
  using Wide = Lanes<float>;
  Lanes<Real> y;
  if constexpr (std::is_same_v<Real, float>) {
    const Wide third = Wide(__builtin_convertvector(detail::bits_of(x), Floats)) * (-1.0 / 3);
    y = detail::from_bits<float>(intrinsics::truncate((third + 1419899904.0).v));
  } else {
    const Longs high = (detail::bits_of(x) >> 32) & 0x7fffffff;
    const Lanes<double> guess = 1430186283.0 - detail::real_of<double>(high) * (1.0 / 3);
    y = detail::from_bits<double>(detail::rounded(guess) << 32);
  }
  // x y^3 = 1 - h;  (1 - h)^(-1/3) = 1 + h/3 + 2 h^2/9 + 14 h^3/81 + ...
  const Lanes<Real> h = 1.0 - (x * y) * (y * y);
  y = y + (y * h) * (1.0 / 3 + h * (2.0 / 9 + h * (14.0 / 81)));
  const Lanes<Real> rest = 1.0 - (x * y) * (y * y);
  if constexpr (std::is_same_v<Real, float>) return y + (y * rest) * (1.0 / 3);
  return y + (y * rest) * (1.0 / 3 + rest * (2.0 / 9 + rest * (14.0 / 81)));
}
// Same precondition.
template <class Real>
Lanes<Real> cbrt(Lanes<Real> x) {
  const Lanes<Real> y = rcbrt(x);
  return x * (y * y);
}

}  // namespace sinew::SINEW_ISA
