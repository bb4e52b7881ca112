#include "sinew/anatomy/bspline_basis.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew::anatomy {
namespace {

// Index k of the span with knots[k] <= t < knots[k + 1]; the last one that is not empty at t = 1.
std::uint32_t find_span(std::span<const double> knots, std::uint32_t degree, double t) {
  const auto first = knots.begin() + degree;
  const auto last = knots.end() - degree - 1;  // of the end knots, the first
  const auto above = std::upper_bound(first, last, t);
  return static_cast<std::uint32_t>(above - knots.begin()) - 1;
}

// Solves A X = B in place for symmetric positive definite A (n x n) and B (n x m), by rows.
void solve_cholesky(std::vector<double>& a, std::vector<double>& b, std::size_t n, std::size_t m) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      SINEW_CHECK(i != j || sum > 0, "the samples do not determine the control values");
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  }
  for (std::size_t c = 0; c < m; ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i * m + c] -= a[i * n + k] * b[k * m + c];
      b[i * m + c] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) b[i * m + c] -= a[k * n + i] * b[k * m + c];
      b[i * m + c] /= a[i * n + i];
    }
  }
}

// Divided differences at the control values' own parameters (Greville), which leave a straight line
// free.
void add_bending(std::vector<double>& a, const std::vector<double>& knots, std::size_t n,
                 double bending) {
  const std::size_t degree = knots.size() - n - 1;
  const auto step = [&](std::size_t i) {  // from control value i to the next; 1 where all are even
    const double distance = knots[i + degree + 1] - knots[i + 1];
    return distance / static_cast<double>(degree) * static_cast<double>(n - 1);
  };
  for (std::size_t r = 0; r + 2 < n; ++r) {
    const double left = 1 / step(r);
    const double right = 1 / step(r + 1);
    const double difference[3] = {left, -left - right, right};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        a[(r + i) * n + r + j] += bending * difference[i] * difference[j];
      }
    }
  }
}

}  // namespace

BasisValues compute_basis(std::span<const double> knots, std::uint32_t degree, double t) {
  t = std::clamp(t, 0.0, 1.0);
  const std::uint32_t span = find_span(knots, degree, t);
  BasisValues basis{span - degree, {}, {}};
  auto& values = basis.values;
  values[0] = 1;
  for (std::uint32_t p = 1; p <= degree; ++p) {
    if (p == degree) {  // derivatives come from the functions of one degree less
      for (std::uint32_t i = 0; i < p; ++i) {
        const double share = p * values[i] / (knots[span + i + 1] - knots[span + i + 1 - p]);
        basis.derivatives[i] -= share;
        basis.derivatives[i + 1] += share;
      }
    }
    double carried = 0;
    for (std::uint32_t i = 0; i < p; ++i) {
      const double right = knots[span + i + 1];
      const double left = knots[span + i + 1 - p];
      const double share = values[i] / (right - left);
      values[i] = carried + (right - t) * share;
      carried = (t - left) * share;
    }
    values[p] = carried;
  }
  return basis;
}

std::vector<double> make_clamped_knots(std::uint32_t degree, std::uint32_t count) {
  const std::uint32_t num_spans = count - degree;
  std::vector<double> knots(degree, 0.0);
  for (std::uint32_t i = 0; i <= num_spans; ++i) {
    knots.push_back(static_cast<double>(i) / num_spans);
  }
  knots.insert(knots.end(), degree, 1.0);
  return knots;
}

CurveFit::CurveFit(std::uint32_t degree, std::uint32_t count, std::span<const double> parameters,
                   double bending)
    : count_(count), num_samples_(parameters.size()), weights_(count * parameters.size()) {
  const std::vector<double> knots = make_clamped_knots(degree, count);
  std::vector<double> normal(std::size_t{count} * count);
  const double share = 1.0 / static_cast<double>(num_samples_);
  for (std::size_t s = 0; s < num_samples_; ++s) {
    const BasisValues basis = compute_basis(knots, degree, parameters[s]);
    for (std::uint32_t i = 0; i <= degree; ++i) {
      weights_[(basis.first + i) * num_samples_ + s] = share * basis.values[i];
      for (std::uint32_t j = 0; j <= degree; ++j) {
        normal[(basis.first + i) * count + basis.first + j] +=
            share * basis.values[i] * basis.values[j];
      }
    }
  }
  add_bending(normal, knots, count, bending);
  solve_cholesky(normal, weights_, count, num_samples_);
}

void CurveFit::apply(const Vec3d* values, std::size_t stride, Vec3d* control,
                     std::size_t control_stride) const {
  for (std::size_t c = 0; c < count_; ++c) {
    Vec3d sum;
    for (std::size_t s = 0; s < num_samples_; ++s) {
      sum += values[s * stride] * weights_[c * num_samples_ + s];
    }
    control[c * control_stride] = sum;
  }
}

}  // namespace sinew::anatomy
