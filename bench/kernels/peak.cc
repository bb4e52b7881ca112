#include "sinew/core/lanes.h"

namespace sinew::bench::SINEW_ISA {

double run_float_peak(int rounds);
double run_double_peak(int rounds);

namespace {

// Enough chains to hide the latency of a multiply-add, few enough for 16 registers.
template <class Real>
double run(int rounds) {
  using T = sinew::SINEW_ISA::Lanes<Real>;
  constexpr int kChains = 12;
  T values[kChains];
  for (int i = 0; i < kChains; ++i) values[i] = 1.0 + i;
  const T factor = 0.999, term = 0.001;
  for (int n = 0; n < rounds; ++n) {
#pragma GCC unroll 12
    for (T& value : values) value = value * factor + term;
  }
  T total = 0.0;
  for (const T& value : values) total += value;
  // The sum is used, or the loop would be dropped.
  return sum(total) > 0 ? 2.0 * kChains * T::kWidth * rounds : 0;
}

}  // namespace

double run_float_peak(int rounds) {
  return run<float>(rounds);
}
double run_double_peak(int rounds) {
  return run<double>(rounds);
}

}  // namespace sinew::bench::SINEW_ISA
