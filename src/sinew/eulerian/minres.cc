#include "sinew/eulerian/minres.h"

#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 4096;

}  // namespace

double inner_product(const KktVector& a, const KktVector& b) {
  const double first = ordered_sum(a.v.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += dot(a.v[i], b.v[i]);
    return sum;
  });
  return first + ordered_sum(a.y.size(), [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t i = begin; i < end; ++i) sum += a.y[i] * b.y[i];
           return sum;
         });
}

void combine(double alpha, double beta, const KktVector& b, KktVector& a) {
  parallel_for(a.v.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) a.v[i] = a.v[i] * alpha + b.v[i] * beta;
  });
  parallel_for(a.y.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) a.y[i] = a.y[i] * alpha + b.y[i] * beta;
  });
}

// The recurrences of Paige and Saunders (1975): Lanczos vectors r, their preconditioned z, and the
// directions w whose images are orthogonal.
SolveReport solve_minres(const KktOperator& matrix, const KktOperator& preconditioner,
                         const KktVector& b, double tolerance, int most, KktVector& x) {
  SolveReport report;
  const std::size_t nv = b.v.size(), ny = b.y.size();
  KktVector r_old(nv, ny), r(nv, ny), z(nv, ny), q(nv, ny), w(nv, ny), w_old(nv, ny);
  preconditioner(b, z);
  const double target = std::sqrt(std::max(0.0, inner_product(b, z)));
  matrix(x, r);
  combine(-1, 1, b, r);
  preconditioner(r, z);
  double beta = std::sqrt(std::max(0.0, inner_product(r, z)));
  double residual = beta, beta_old = 0;
  double c = -1, s = 0, delta = 0, epsilon = 0;
  while (residual > tolerance * target && beta > 0 && report.iterations < most) {
    combine(1 / beta, 0, z, z);
    matrix(z, q);
    if (report.iterations > 0) combine(1, -beta / beta_old, r_old, q);
    const double alpha = inner_product(z, q);
    combine(1, -alpha / beta, r, q);
    std::swap(r_old, r);  // r_old: r of this turn
    std::swap(r, q);      // r: the next one
    const KktVector& direction = z;
    const double epsilon_old = epsilon;
    const double delta_bar = c * delta + s * alpha;
    const double gamma_bar = s * delta - c * alpha;
    std::swap(w, w_old);  // w_old: w of the turn before; w: that of two before, to be replaced
    KktVector& next = w;
    combine(-epsilon_old, 1, direction, next);
    combine(1, -delta_bar, w_old, next);
    preconditioner(r, q);
    beta_old = beta;
    beta = std::sqrt(std::max(0.0, inner_product(r, q)));
    epsilon = s * beta;
    delta = -c * beta;
    const double gamma = std::max(std::hypot(gamma_bar, beta), 1e-300);
    c = gamma_bar / gamma;
    s = beta / gamma;
    combine(1 / gamma, 0, next, next);
    combine(1, c * residual, next, x);
    residual *= s;
    std::swap(z, q);
    ++report.iterations;
  }
  report.residual = target > 0 ? residual / target : 0;
  report.converged = residual <= tolerance * target;
  return report;
}

}  // namespace sinew::eulerian
