// The zero of a function between two places where its signs differ: Newton's method that never
// leaves the bracket and halves it where it would. For force balances of line muscles.
#pragma once

#include <cmath>

namespace sinew::material {

// A function of one variable and its derivative.
struct CurveValue {
  double value = 0, slope = 0;
};

// `function`: double -> CurveValue, of different sign (or zero) at low and high. Ends when the
// bracket or the step is below 1e-15 of its size, at the latest after 200 evaluations.
template <class Function>
double find_bracketed_zero(const Function& function, double low, double high) {
  const double sign = function(low).value > 0 ? 1 : -1;
  const double smallest = 1e-15 * (std::abs(low) + std::abs(high));
  double x = 0.5 * (low + high), last_size = HUGE_VAL;
  for (int n = 0; n < 200 && high - low > smallest; ++n) {
    const CurveValue at = function(x);
    if (at.value == 0) return x;
    (sign * at.value > 0 ? low : high) = x;
    const double newton = x - at.value / at.slope;
    // Newton where it stays inside and the residual falls by half at least (NaN: bisect).
    const bool is_good = newton > low && newton < high && std::abs(at.value) < 0.5 * last_size;
    last_size = std::abs(at.value);
    const double next = is_good ? newton : 0.5 * (low + high);
    if (is_good && std::abs(next - x) <= smallest) return next;
    x = next;
  }
  return x;
}

}  // namespace sinew::material
