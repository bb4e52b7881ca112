#include "sinew/solver/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/solver/field_algebra.h"

namespace sinew::solver {
namespace {

// The largest eigenvalue may belong to a few nodes (crushed cells, tendon beside muscle), which
// hardly show in the first vector: (1.12)^(2 k) must lift them above thousands of others, else the
// cycle's polynomial turns negative there. Twelve were too few.
constexpr int kPowerIterations = 40;

// Numbers in [-1, 1) that depend on the index only.
float scatter(std::uint32_t i) {
  std::uint32_t h = (i + 1) * 2654435761U;
  h ^= h >> 15;
  h *= 2246822519U;
  h ^= h >> 13;
  return static_cast<float>(h >> 8) / static_cast<float>(1U << 23) - 1.0F;
}

}  // namespace

double estimate_largest_eigenvalue(const BlockMatrix& A, const BlockDiagonal& D) {
  Field3f x(A.num_rows), y(A.num_rows);
  for (std::size_t n = 0; n < A.num_rows; ++n) {
    const auto i = static_cast<std::uint32_t>(3 * n);
    x.set(n, {scatter(i), scatter(i + 1), scatter(i + 2)});
  }
  double largest = 0;
  for (int k = 0; k < kPowerIterations; ++k) {
    // The Rayleigh quotient of D A in the inner product of A: never above the eigenvalue.
    multiply(A, x, y);
    const double energy = dot(x, y);
    multiply(D, 1.0F, y, x);
    const double image = dot(x, y);
    if (!(energy > 0) || !(image > 0) || !std::isfinite(image / energy)) break;
    largest = std::max(largest, image / energy);
    scale(static_cast<float>(1 / (image / energy)), x);
  }
  return largest > 0 ? largest : 1;
}

std::vector<SmoothingStep> make_chebyshev_steps(int degree, double largest, double range) {
  SINEW_CHECK(degree >= 1 && largest > 0 && range > 1, "a polynomial on an interval above zero");
  const double centre = 0.5 * (largest + largest / range);
  const double radius = 0.5 * (largest - largest / range);
  std::vector<SmoothingStep> steps = {{1, 0, static_cast<float>(1 / centre)}};
  double rho = radius / centre;
  for (int k = 1; k < degree; ++k) {
    const double next = 1 / (2 * centre / radius - rho);
    const double memory = next * rho;
    steps.push_back({static_cast<float>(1 + memory), static_cast<float>(-memory),
                     static_cast<float>(2 * next / radius)});
    rho = next;
  }
  return steps;
}

void smooth_from_zero(const BlockMatrix& A, const BlockDiagonal& D,
                      const std::vector<SmoothingStep>& steps, const Field3f& b, Field3f& x,
                      Field3f& other) {
  multiply(D, steps[0].step, b, x);
  for (std::size_t k = 1; k < steps.size(); ++k) {
    SmoothingStep s = steps[k];
    if (k == 1) s.back = 0;  // what was before is zero
    smooth(A, D, s, b, x, other);
    std::swap(x, other);
  }
}

void smooth(const BlockMatrix& A, const BlockDiagonal& D, const std::vector<SmoothingStep>& steps,
            const Field3f& b, Field3f& x, Field3f& other) {
  for (const SmoothingStep& s : steps) {
    smooth(A, D, s, b, x, other);
    std::swap(x, other);
  }
}

}  // namespace sinew::solver
