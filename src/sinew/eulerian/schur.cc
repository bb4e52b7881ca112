#include "sinew/eulerian/schur.h"

#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 1024;

class Schur {
 public:
  Schur(const Rows& rows, std::span<const double> inverse_mass)
      : rows_(rows), inverse_mass_(inverse_mass), impulse_(inverse_mass.size()) {}

  // out = S p; returns p . out
  double apply(std::span<const double> p, std::span<double> out) {
    parallel_for(impulse_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t u = begin; u < end; ++u) {
        Vec3d sum{};
        for (std::uint32_t e = rows_.column_offset[u]; e < rows_.column_offset[u + 1]; ++e) {
          sum += rows_.row_coefficient[e] * p[rows_.row[e]];
        }
        impulse_[u] = sum * inverse_mass_[u];
      }
    });
    return ordered_sum(rows_.size(), [&](std::size_t begin, std::size_t end) {
      double total = 0;
      for (std::size_t r = begin; r < end; ++r) {
        if (rows_.idle[r] != 0) {
          out[r] = 0;
          continue;
        }
        double sum = smooth(rows_, p, r);
        for (std::uint32_t e = rows_.offset[r]; e < rows_.offset[r + 1]; ++e) {
          sum += dot(rows_.coefficient[e], impulse_[rows_.column[e]]);
        }
        out[r] = sum;
        total += p[r] * sum;
      }
      return total;
    });
  }

 private:
  const Rows& rows_;
  std::span<const double> inverse_mass_;
  std::vector<Vec3d> impulse_;
};

}  // namespace

std::vector<double> schur_diagonal(const Rows& rows, std::span<const double> inverse_mass) {
  std::vector<double> diagonal(rows.size());
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      double sum = rows.compliance[r];
      for (std::uint32_t l = rows.link_offset[r]; l < rows.link_offset[r + 1]; ++l) {
        sum += rows.link_weight[l];
      }
      for (std::uint32_t e = rows.offset[r]; e < rows.offset[r + 1]; ++e) {
        sum += dot(rows.coefficient[e], rows.coefficient[e]) * inverse_mass[rows.column[e]];
      }
      diagonal[r] = sum;
    }
  });
  return diagonal;
}

SolveReport solve_schur(std::span<const double> inverse_mass, std::span<const double> rhs,
                        double tolerance, int most, Rows& rows) {
  SolveReport report;
  const std::size_t n = rows.size();
  if (n == 0) return report;
  std::vector<double> scale = schur_diagonal(rows, inverse_mass);
  std::vector<double>& y = rows.multiplier;
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = scale[i] > 0 && rows.idle[i] == 0 ? 1 / scale[i] : 0;
    if (rows.idle[i] != 0) y[i] = 0;
  }
  std::vector<double> r(n), p(n), q(n);
  Schur schur(rows, inverse_mass);
  schur.apply(y, q);
  const auto scaled_norm = [&](std::span<const double> a) {
    return ordered_sum(n, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += a[i] * a[i] * scale[i];
      return sum;
    });
  };
  for (std::size_t i = 0; i < n; ++i) r[i] = rows.idle[i] != 0 ? 0 : rhs[i] - q[i];
  const double target = scaled_norm(rhs);
  double rho = scaled_norm(r);
  for (std::size_t i = 0; i < n; ++i) p[i] = scale[i] * r[i];
  while (rho > tolerance * tolerance * target && report.iterations < most) {
    const double curvature = schur.apply(p, q);
    if (!(curvature > 0)) break;
    const double alpha = rho / curvature;
    const double next = ordered_sum(n, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i) {
        y[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        sum += r[i] * r[i] * scale[i];
      }
      return sum;
    });
    const double beta = next / rho;
    rho = next;
    parallel_for(n, 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) p[i] = scale[i] * r[i] + beta * p[i];
    });
    ++report.iterations;
  }
  report.residual = target > 0 ? std::sqrt(rho / target) : 0;
  report.converged = rho <= tolerance * tolerance * target;
  return report;
}

}  // namespace sinew::eulerian
