#include "sinew/lab/analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::lab {
namespace {

ExponentialFit fit_scale(std::span<const double> x, std::span<const double> y, double rate) {
  double product = 0, square = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double basis = std::expm1(rate * x[k]);
    product += basis * y[k];
    square += basis * basis;
  }
  return {square > 0 ? product / square : 0, rate, 0};
}

double sum_of_squares(const ExponentialFit& fit, std::span<const double> x,
                      std::span<const double> y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double difference = fit.scale * std::expm1(fit.rate * x[k]) - y[k];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

Summit find_summit(std::span<const double> x, std::span<const double> y) {
  const auto k = static_cast<std::size_t>(std::max_element(y.begin(), y.end()) - y.begin());
  if (k == 0 || k + 1 >= y.size()) return {x[k], y[k]};
  // Newton's form of the parabola.
  const double left = (y[k] - y[k - 1]) / (x[k] - x[k - 1]);
  const double right = (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
  const double bend = (right - left) / (x[k + 1] - x[k - 1]);
  if (!(bend < 0)) return {x[k], y[k]};
  const double slope = left + bend * (x[k] - x[k - 1]);
  const double step = -slope / (2 * bend);
  return {x[k] + step, y[k] + 0.5 * slope * step};
}

double find_rise(std::span<const double> x, std::span<const double> y, double level,
                 std::size_t from) {
  for (std::size_t k = from + 1; k < y.size(); ++k) {
    if (y[k - 1] < level && y[k] >= level) {
      return x[k - 1] + (x[k] - x[k - 1]) * (level - y[k - 1]) / (y[k] - y[k - 1]);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double interpolate(std::span<const double> x, std::span<const double> y, double at) {
  const auto above = std::upper_bound(x.begin(), x.end(), at);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto k = static_cast<std::size_t>(above - x.begin());
  return y[k - 1] + (y[k] - y[k - 1]) * (at - x[k - 1]) / (x[k] - x[k - 1]);
}

ExponentialFit fit_exponential(std::span<const double> x, std::span<const double> y) {
  const double end = *std::max_element(x.begin(), x.end());
  double low = 1e-3 / end, high = 30 / end;  // from nearly straight to very steep
  constexpr double kGolden = 0.6180339887498949;
  for (int n = 0; n < 80; ++n) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    const bool keep_low =
        sum_of_squares(fit_scale(x, y, a), x, y) < sum_of_squares(fit_scale(x, y, b), x, y);
    (keep_low ? high : low) = keep_low ? b : a;
  }
  ExponentialFit fit = fit_scale(x, y, 0.5 * (low + high));
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    fit.misfit = std::max(fit.misfit, std::abs(fit.scale * std::expm1(fit.rate * x[k]) - y[k]));
    largest = std::max(largest, std::abs(y[k]));
  }
  fit.misfit /= largest;
  return fit;
}

double largest_difference(std::span<const double> x, std::span<const double> y,
                          std::span<const double> other_x, std::span<const double> other_y) {
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] < other_x.front() || x[k] > other_x.back()) continue;
    const double difference = std::abs(y[k] - interpolate(other_x, other_y, x[k]));
    // A value that is not a number must not pass for a small one.
    largest = std::isfinite(difference) ? std::max(largest, difference)
                                        : std::numeric_limits<double>::infinity();
  }
  return largest;
}

}  // namespace sinew::lab
