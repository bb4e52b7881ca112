#include "core/lanes_cases.h"

#include "sinew/core/lanes_svd.h"

namespace sinew::SINEW_ISA {
namespace {

template <class Real>
Lanes<Real> compute(LaneCase which, const Table& table, Lanes<Real> a, Lanes<Real> b) {
  const Lanes<Real> one = 1.0, zero = 0.0;
  switch (which) {
    case LaneCase::kExp:
      return exp(a);
    case LaneCase::kLog:
      return log(a);
    case LaneCase::kCbrt:
      return cbrt(a);
    case LaneCase::kReciprocalCbrt:
      return rcbrt(a);
    case LaneCase::kSqrt:
      return sqrt(a);
    case LaneCase::kReciprocalSqrt:
      return rsqrt(a);
    case LaneCase::kAbs:
      return abs(a);
    case LaneCase::kFloor:
      return to_real(index_of(a), a);
    case LaneCase::kLookUp:
      return gather(table, index_of(a) * 2 + 1, a);
    case LaneCase::kMin:
      return min(a, b);
    case LaneCase::kMax:
      return max(a, b);
    case LaneCase::kSum:
      return sum(a);
    case LaneCase::kPickLess:
      return select((a < b) & !(a < 0.0), a, b);
    case LaneCase::kPickBetween:
      return select(lanes_between<Real>(1, 3), a, b);
    case LaneCase::kAnyLess:
      return any_of(a < b) ? one : zero;
    default:
      return all_of(a < b) ? one : zero;
  }
}

template <class Real>
void decompose_lanes(const Real* from, Real* to) {
  constexpr std::size_t kWidth = Lanes<Real>::kWidth;
  Mat3<Lanes<Real>> F;
  for (std::size_t i = 0; i < 9; ++i) F.col(i / 3)[i % 3] = load(from + i * kWidth);
  const LanesSvd<Real> svd = compute_polar_svd(F);
  for (std::size_t i = 0; i < 9; ++i) {
    store(svd.U(i % 3, i / 3), to + i * kWidth);
    store(svd.V(i % 3, i / 3), to + (12 + i) * kWidth);
  }
  for (std::size_t i = 0; i < 3; ++i) store(svd.s[i], to + (9 + i) * kWidth);
}

}  // namespace

int lane_width(float) {
  return Lanes<float>::kWidth;
}
int lane_width(double) {
  return Lanes<double>::kWidth;
}
void evaluate(LaneCase which, const Table& table, const float* a, const float* b, float* out) {
  store(compute(which, table, load(a), load(b)), out);
}
void evaluate(LaneCase which, const Table& table, const double* a, const double* b, double* out) {
  store(compute(which, table, load(a), load(b)), out);
}

void decompose(const float* F, float* parts) {
  decompose_lanes(F, parts);
}
void decompose(const double* F, double* parts) {
  decompose_lanes(F, parts);
}

}  // namespace sinew::SINEW_ISA
