// Lanes<float> and Lanes<double>: as many numbers as one SIMD register holds, used like one number.
// For kernels, which write pointwise maths once for double (real.h) and for lanes; files that
// include this are compiled once for each instruction set, and everything here lives in a namespace
// of the set's name, so that the linker never mixes them.
//
// Comparisons give a Mask, combined by & | !; `select` takes the place of branches.
#pragma once

#include "sinew/core/lanes_intrinsics.h"
#include "sinew/core/real.h"

namespace sinew::SINEW_ISA {

template <class Real>
struct LaneTypes;
template <>
struct LaneTypes<float> {
  using Vector = Floats;
  using Bits = Ints;
};
template <>
struct LaneTypes<double> {
  using Vector = Doubles;
  using Bits = Longs;
};

// All bits of a lane set where it is true, none where it is false.
template <class Real>
struct Mask {
  typename LaneTypes<Real>::Bits bits;

  friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
  friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
  friend Mask operator!(Mask a) { return {~a.bits}; }
};

template <class Real>
struct Lanes {
  using Vector = typename LaneTypes<Real>::Vector;
  using Bits = typename LaneTypes<Real>::Bits;
  static constexpr int kWidth = kLaneBytes / static_cast<int>(sizeof(Real));

  Vector v;

  Lanes() : v{} {}
  // The same number in every lane. Implicit, so that constants read as in scalar code.
  Lanes(double x) : v(static_cast<Real>(x) - Vector{}) {}
  explicit Lanes(Vector x) : v(x) {}

  Lanes& operator+=(Lanes b) { return v += b.v, *this; }
  Lanes& operator-=(Lanes b) { return v -= b.v, *this; }
  Lanes& operator*=(Lanes b) { return v *= b.v, *this; }
  friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
  friend Lanes operator/(Lanes a, Lanes b) { return Lanes(a.v / b.v); }
  friend Lanes operator-(Lanes a) { return Lanes(-a.v); }
  friend Mask<Real> operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  friend Mask<Real> operator<=(Lanes a, Lanes b) { return {a.v <= b.v}; }
  friend Mask<Real> operator>(Lanes a, Lanes b) { return {a.v > b.v}; }
  friend Mask<Real> operator>=(Lanes a, Lanes b) { return {a.v >= b.v}; }
};

// From and to memory; no alignment needed. (Clang takes no alignment of a type that depends on a
// template's; a copy of known size is one instruction in both compilers.)
template <class Real>
Lanes<Real> load(const Real* from) {
  typename Lanes<Real>::Vector vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return Lanes<Real>(vector);
}
template <class Real>
void store(Lanes<Real> a, Real* to) {
  __builtin_memcpy(to, &a.v, sizeof(a.v));
}

// Lanes [begin, end).
template <class Real>
Mask<Real> lanes_between(int begin, int end) {
  typename Lanes<Real>::Bits number{};
  for (int i = 0; i < Lanes<Real>::kWidth; ++i) number[i] = i;
  return {(number >= begin) & (number < end)};
}

template <class Real>
Lanes<Real> select(Mask<Real> condition, Lanes<Real> yes, Lanes<Real> no) {
  return Lanes<Real>(condition.bits ? yes.v : no.v);
}
// With constants, as in scalar code.
template <class Real>
Lanes<Real> select(Mask<Real> condition, Lanes<Real> yes, double no) {
  return select(condition, yes, Lanes<Real>(no));
}
template <class Real>
Lanes<Real> select(Mask<Real> condition, double yes, Lanes<Real> no) {
  return select(condition, Lanes<Real>(yes), no);
}
template <class Real>
bool any_of(Mask<Real> condition) {
  return intrinsics::bits_of(condition.bits) != 0;
}
template <class Real>
bool all_of(Mask<Real> condition) {
  return intrinsics::bits_of(condition.bits) == (1U << Lanes<Real>::kWidth) - 1;
}

template <class Real>
Lanes<Real> min(Lanes<Real> a, Lanes<Real> b) {
  return Lanes<Real>(intrinsics::min(a.v, b.v));
}
template <class Real>
Lanes<Real> max(Lanes<Real> a, Lanes<Real> b) {
  return Lanes<Real>(intrinsics::max(a.v, b.v));
}
template <class Real>
Lanes<Real> abs(Lanes<Real> a) {
  return max(a, -a);
}
template <class Real>
Lanes<Real> sqrt(Lanes<Real> a) {
  return Lanes<Real>(intrinsics::sqrt(a.v));
}
// 1/sqrt(a), to a few units of the last place. Precondition: a is positive and not denormal.
inline Lanes<float> rsqrt(Lanes<float> a) {
  const Lanes<float> y(intrinsics::estimate_rsqrt(a.v));
  return y * (1.5 - (0.5 * a) * (y * y));
}
inline Lanes<double> rsqrt(Lanes<double> a) {
  return 1.0 / sqrt(a);
}

// The sum of all lanes, always in the same order.
template <class Real>
double sum(Lanes<Real> a) {
  double total = 0;
  for (int i = 0; i < Lanes<Real>::kWidth; ++i) total += static_cast<double>(a.v[i]);
  return total;
}

// Rows of a table, as in real.h. Precondition of index_of: 0 <= x < 2^31.
template <class Real>
typename Lanes<Real>::Bits index_of(Lanes<Real> x) {
  return intrinsics::truncate(x.v);
}
template <class Real>
Lanes<Real> to_real(typename Lanes<Real>::Bits index, Lanes<Real> /*like*/) {
  return Lanes<Real>(__builtin_convertvector(index, typename Lanes<Real>::Vector));
}
inline Lanes<float> gather(const Table& table, Ints index, Lanes<float> /*like*/) {
  return Lanes<float>(intrinsics::gather(table.in_float, index));
}
inline Lanes<double> gather(const Table& table, Longs index, Lanes<double> /*like*/) {
  return Lanes<double>(intrinsics::gather(table.in_double, index));
}

}  // namespace sinew::SINEW_ISA

#include "sinew/core/lanes_math.h"  // IWYU pragma: export
