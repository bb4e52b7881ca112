#include "sinew/anatomy/flow_solid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sinew/anatomy/bspline_basis.h"
#include "sinew/anatomy/line_layout.h"
#include "sinew/anatomy/streamlines.h"
#include "sinew/core/error.h"

namespace sinew::anatomy {
namespace {

constexpr std::uint32_t kDegree = 3;
constexpr std::size_t kAlong = 33;  // points of a line

struct Sample {
  Vec3d uvw, x;
};

// The layout's places, from the box that holds them to [margin, 1 - margin].
std::vector<Sample> make_samples(const std::vector<std::vector<Vec3d>>& lines, double margin) {
  std::vector<std::vector<Vec3d>> even;
  even.reserve(lines.size());
  for (const auto& line : lines) even.push_back(resample(line, kAlong));
  std::vector<std::array<double, 2>> places = lay_out_lines(even);
  for (std::size_t a = 0; a < 2; ++a) {
    double low = places[0][a];
    double high = low;
    for (const auto& place : places) low = std::min(low, place[a]), high = std::max(high, place[a]);
    const double extent = std::max(high - low, 1e-9);
    for (auto& place : places) place[a] = margin + (1 - 2 * margin) * (place[a] - low) / extent;
  }
  std::vector<Sample> samples;
  samples.reserve(even.size() * kAlong);
  for (std::size_t n = 0; n < even.size(); ++n) {
    for (std::size_t k = 0; k < kAlong; ++k) {
      const double w = static_cast<double>(k) / (kAlong - 1);
      samples.push_back({{places[n][0], places[n][1], w}, even[n][k]});
    }
  }
  return samples;
}

// Symmetric positive definite equations for control points.
struct Equations {
  std::size_t count;
  std::vector<double> matrix;  // (count x count), lower half
  std::vector<Vec3d> right;    // (count)
};

void add_sample(const BsplineSolid& solid, const Sample& sample, double weight,
                Equations& equations) {
  std::array<BasisValues, 3> basis{};
  for (std::size_t a = 0; a < 3; ++a) {
    basis[a] = compute_basis(solid.knots[a], kDegree, sample.uvw[a]);
  }
  std::array<std::size_t, 64> index{};
  std::array<double, 64> value{};
  for (std::size_t n = 0; n < 64; ++n) {
    const std::size_t i = n % 4;
    const std::size_t j = n / 4 % 4;
    const std::size_t k = n / 16;
    value[n] = basis[0].values[i] * basis[1].values[j] * basis[2].values[k];
    index[n] = basis[0].first + i +
               solid.counts[0] * (basis[1].first + j + solid.counts[1] * (basis[2].first + k));
  }
  for (std::size_t n = 0; n < 64; ++n) {  // index rises with n: the lower half
    double* row = &equations.matrix[index[n] * equations.count];
    for (std::size_t m = 0; m <= n; ++m) row[index[m]] += weight * value[n] * value[m];
    equations.right[index[n]] += sample.x * (weight * value[n]);
  }
}

// Second differences along u, v and w, and the mixed ones of u and v, which leave every map free
// that is linear across the fibres.
void add_bending(const BsplineSolid& solid, double weight, Equations& equations) {
  const auto [nu, nv, nw] = solid.counts;
  const std::array<std::size_t, 3> stride = {1, nu, std::size_t{nu} * nv};
  const auto add = [&](std::initializer_list<std::pair<std::size_t, double>> row) {
    for (const auto& [a, fa] : row) {
      for (const auto& [b, fb] : row) {
        if (b <= a) equations.matrix[a * equations.count + b] += weight * fa * fb;
      }
    }
  };
  for (std::size_t n = 0; n < equations.count; ++n) {
    const std::array<std::size_t, 3> at = {n % nu, n / nu % nv, n / stride[2]};
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] + 2 < solid.counts[a]) add({{n, 1}, {n + stride[a], -2}, {n + 2 * stride[a], 1}});
    }
    if (at[0] + 1 < nu && at[1] + 1 < nv) {
      add({{n, 1}, {n + 1, -1}, {n + nu, -1}, {n + nu + 1, 1}});
    }
  }
}

// Cholesky factorisation and the two solves.
std::vector<Vec3d> solve(Equations& equations) {
  const std::size_t n = equations.count;
  std::vector<double>& a = equations.matrix;
  std::vector<Vec3d> x = equations.right;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      double sum = a[j * n + i];
      for (std::size_t k = 0; k < i; ++k) sum -= a[j * n + k] * a[i * n + k];
      SINEW_CHECK(i != j || sum > 0, "the lines do not determine the solid");
      a[j * n + i] = i == j ? std::sqrt(sum) : sum / a[i * n + i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= x[k] * a[i * n + k];
    x[i] = x[i] / a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] = x[i] / a[i * n + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= x[i] * a[i * n + k];
  }
  return x;
}

}  // namespace

BsplineSolid fit_flow_solid(const std::vector<std::vector<Vec3d>>& lines,
                            const FlowSolidSettings& settings) {
  SINEW_CHECK(lines.size() >= 4, "a solid needs at least four lines");
  const std::vector<Sample> samples = make_samples(lines, settings.margin);
  BsplineSolid solid{{kDegree, kDegree, kDegree}, settings.counts, {}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    solid.knots[a] = make_clamped_knots(kDegree, settings.counts[a]);
  }
  const std::size_t count =
      std::size_t{settings.counts[0]} * settings.counts[1] * settings.counts[2];
  Equations equations{count, std::vector<double>(count * count), std::vector<Vec3d>(count)};
  const double weight = static_cast<double>(count) / static_cast<double>(samples.size());
  for (const Sample& sample : samples) add_sample(solid, sample, weight, equations);
  add_bending(solid, settings.bending, equations);
  solid.control_points = solve(equations);
  return solid;
}

}  // namespace sinew::anatomy
