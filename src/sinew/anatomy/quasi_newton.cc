#include "sinew/anatomy/quasi_newton.h"

#include <cmath>
#include <cstddef>
#include <deque>

namespace sinew::anatomy {
namespace {

constexpr std::size_t kMemory = 12;   // pairs
constexpr double kSufficient = 1e-4;  // part of the slope that a step must gain
constexpr int kMaxBacktracks = 30;

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(double factor, const Numbers& b, Numbers& a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
}

struct Pair {
  Numbers step, change;
  double inverse;  // 1 / (step . change)
};

// The two loops: direction = -H g.
Numbers find_direction(const std::deque<Pair>& pairs, const Numbers& gradient,
                       const Numbers& diagonal) {
  Numbers q = gradient;
  Numbers factors(pairs.size());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    factors[i] = pairs[i].inverse * dot(pairs[i].step, q);
    add_scaled(-factors[i], pairs[i].change, q);
  }
  double scale = 1;
  if (!pairs.empty()) {
    double weighted = 0;
    const Pair& last = pairs.back();
    for (std::size_t i = 0; i < q.size(); ++i) {
      weighted += last.change[i] * last.change[i] / diagonal[i];
    }
    scale = 1 / (last.inverse * weighted);
  }
  for (std::size_t i = 0; i < q.size(); ++i) q[i] *= scale / diagonal[i];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    add_scaled(factors[i] - pairs[i].inverse * dot(pairs[i].change, q), pairs[i].step, q);
  }
  for (double& value : q) value = -value;
  return q;
}

double size_of(const Numbers& gradient, const Numbers& diagonal) {
  double sum = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) sum += gradient[i] * gradient[i] / diagonal[i];
  return std::sqrt(sum);
}

}  // namespace

DescentReport descend(const SmoothFunction& function, const Numbers& diagonal, int max_iterations,
                      double tolerance, Numbers& x) {
  DescentReport report;
  Numbers gradient(x.size()), trial, trial_gradient(x.size());
  report.value = function(x, gradient);
  const double first = size_of(gradient, diagonal);
  std::deque<Pair> pairs;
  for (; report.iterations < max_iterations; ++report.iterations) {
    if (size_of(gradient, diagonal) <= tolerance * first) {
      report.converged = true;
      break;
    }
    Numbers direction = find_direction(pairs, gradient, diagonal);
    double slope = dot(direction, gradient);
    if (!(slope < 0)) {
      pairs.clear();
      direction = find_direction(pairs, gradient, diagonal);
      slope = dot(direction, gradient);
    }
    double length = 1, value = 0;
    int backtracks = 0;
    for (; backtracks < kMaxBacktracks; ++backtracks, length *= 0.5) {
      trial = x;
      add_scaled(length, direction, trial);
      value = function(trial, trial_gradient);
      if (value <= report.value + kSufficient * length * slope) break;  // false for NaN too
    }
    if (backtracks == kMaxBacktracks) {
      if (pairs.empty()) {
        report.converged = true;
        break;
      }
      pairs.clear();
      continue;
    }
    Pair pair{trial, trial_gradient, 0};
    add_scaled(-1, x, pair.step);
    add_scaled(-1, gradient, pair.change);
    const double curvature = dot(pair.step, pair.change);
    if (curvature > 1e-12 * std::sqrt(dot(pair.step, pair.step) * dot(pair.change, pair.change))) {
      pair.inverse = 1 / curvature;
      pairs.push_back(std::move(pair));
      if (pairs.size() > kMemory) pairs.pop_front();
    } else {
      pairs.clear();  // what was learnt does not hold here
    }
    x.swap(trial);
    gradient.swap(trial_gradient);
    report.value = value;
  }
  return report;
}

}  // namespace sinew::anatomy
