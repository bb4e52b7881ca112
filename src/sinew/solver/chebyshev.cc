#include "sinew/solver/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/solver/field_algebra.h"

namespace sinew::solver {
namespace {

// The largest eigenvalue may belong to a few nodes (crushed cells, tendon beside muscle), which
// hardly show in the first vector: what grows like a Chebyshev polynomial lifts an eigenvalue 12 %
// above thousands of others in a dozen products, for which powers of the matrix take forty.
constexpr std::size_t kLanczosSteps = 12;
constexpr double kLeastResidual = 1e-10;  // of its square at first: what floats still tell

// Numbers in [-1, 1) that depend on the index only.
float scatter(std::uint32_t i) {
  std::uint32_t h = (i + 1) * 2654435761U;
  h ^= h >> 15;
  h *= 2246822519U;
  h ^= h >> 13;
  return static_cast<float>(h >> 8) / static_cast<float>(1U << 23) - 1.0F;
}

// A symmetric tridiagonal matrix; off[k] couples k and k + 1.
struct Tridiagonal {
  std::vector<double> diagonal, off;
};

// Whether all eigenvalues are below t: the pivots of t - T are positive.
bool is_above_all(const Tridiagonal& T, double t) {
  double pivot = t - T.diagonal[0];
  for (std::size_t k = 1; k < T.diagonal.size() && pivot > 0; ++k)
    pivot = t - T.diagonal[k] - T.off[k - 1] * T.off[k - 1] / pivot;
  return pivot > 0;
}

// By bisection between the largest diagonal and the bound of Gershgorin.
double find_largest_eigenvalue(const Tridiagonal& T) {
  double low = 0, high = 0;
  for (std::size_t k = 0; k < T.diagonal.size(); ++k) {
    low = std::max(low, T.diagonal[k]);
    const double before = k > 0 ? T.off[k - 1] : 0;
    const double after = k + 1 < T.diagonal.size() ? T.off[k] : 0;
    high = std::max(high, T.diagonal[k] + before + after);
  }
  for (int halvings = 0; halvings < 30; ++halvings) {
    const double middle = 0.5 * (low + high);
    (is_above_all(T, middle) ? high : low) = middle;
  }
  return low;
}

}  // namespace

// Lanczos' method for D A in the inner product of D^-1, as the coefficients of conjugate gradients
// tell it (Golub, Van Loan: Matrix Computations, section 11.3.4).
double estimate_largest_eigenvalue(const BlockMatrix& A, const BlockDiagonal& D) {
  Field3f r(A.num_rows), z(A.num_rows), q(A.num_rows);
  for (std::size_t n = 0; n < A.num_rows; ++n) {
    const auto i = static_cast<std::uint32_t>(3 * n);
    r.set(n, {scatter(i), scatter(i + 1), scatter(i + 2)});
  }
  multiply(D, 1.0F, r, z);
  Field3f p = z;
  double size = dot(r, z);
  const double first_size = size;
  Tridiagonal T;
  double carried = 0;  // what the step before adds to the diagonal
  while (T.diagonal.size() < kLanczosSteps) {
    multiply(A, p, q);
    const double alpha = size / dot(p, q);
    // Rounding to halves may leave directions of negative stiffness: they end nothing here.
    if (!std::isfinite(alpha) || alpha == 0) break;
    T.diagonal.push_back(1 / alpha + carried);
    add_scaled(static_cast<float>(-alpha), q, r);
    multiply(D, 1.0F, r, z);
    const double next_size = dot(r, z);
    const double beta = next_size / size;
    if (!(next_size > kLeastResidual * first_size) || !std::isfinite(beta)) break;
    T.off.push_back(std::sqrt(beta) / std::abs(alpha));
    carried = beta / alpha;
    combine(1.0F, z, static_cast<float>(beta), p);
    size = next_size;
  }
  const double largest = T.diagonal.empty() ? 0 : find_largest_eigenvalue(T);
  return largest > 0 && std::isfinite(largest) ? largest : 1;
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
