#include "sinew/anatomy/active_map.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/svd.h"

namespace sinew::anatomy {
namespace {

constexpr double kLeastStretch = 0.05, kLargestStretch = 20;

Mat3d make_turn(const Vec3d& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d turn = Mat3d::outer(axis, axis) * (1 - c) + Mat3d::identity() * c;
  turn(1, 0) += s * axis.z, turn(0, 1) -= s * axis.z;
  turn(2, 1) += s * axis.x, turn(1, 2) -= s * axis.x;
  turn(0, 2) += s * axis.y, turn(2, 0) -= s * axis.y;
  return turn;
}

// Uniform cubic B-spline at the fraction u of a cell.
std::array<double, 4> spline_weights(double u) {
  const double w = 1 - u;
  return {w * w * w / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (3 * w * w * w - 6 * w * w + 4) / 6,
          u * u * u / 6};
}
std::array<double, 4> spline_slopes(double u) {
  const double w = 1 - u;
  return {-w * w / 2, (3 * u * u - 4 * u) / 2, (4 * w - 3 * w * w) / 2, u * u / 2};
}

struct SplineValue {
  Vec3d value{};
  Mat3d gradient{};
};

SplineValue evaluate_spline(const ActiveMap& map, const Vec3d& X) {
  const SplineStencil s = make_stencil(map.lattice, X);
  const auto nx = static_cast<std::size_t>(map.lattice.size[0]);
  const auto ny = static_cast<std::size_t>(map.lattice.size[1]);
  SplineValue sum;
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t row = static_cast<std::size_t>(s.first[0]) +
                              nx * (static_cast<std::size_t>(s.first[1]) + j +
                                    ny * (static_cast<std::size_t>(s.first[2]) + k));
      const Vec3d* c = &map.coefficients[row];
      const auto& w = s.weights[0];
      const auto& d = s.slopes[0];
      const Vec3d value = c[0] * w[0] + c[1] * w[1] + c[2] * w[2] + c[3] * w[3];
      const Vec3d slope = c[0] * d[0] + c[1] * d[1] + c[2] * d[2] + c[3] * d[3];
      const double wy = s.weights[1][j], wz = s.weights[2][k];
      sum.value += value * (wy * wz);
      sum.gradient.col(0) += slope * (wy * wz);
      sum.gradient.col(1) += value * (s.slopes[1][j] * wz);
      sum.gradient.col(2) += value * (wy * s.slopes[2][k]);
    }
  }
  sum.value += sum.gradient * s.excess;
  return sum;
}

// The spline through values at its coefficients' places to fourth order: along one axis,
// c_i = (8 f_i - f_(i-1) - f_(i+1)) / 6. `values` has one more on each side of every axis still to
// be filtered; it loses those of this axis.
std::vector<Vec3d> filter_axis(const std::vector<Vec3d>& values, std::array<std::size_t, 3>& size,
                               std::size_t axis) {
  std::array<std::size_t, 3> smaller = size;
  smaller[axis] -= 2;
  const std::size_t stride = axis == 0 ? 1 : (axis == 1 ? size[0] : size[0] * size[1]);
  std::vector<Vec3d> result;
  result.reserve(smaller[0] * smaller[1] * smaller[2]);
  for (std::size_t k = 0; k < smaller[2]; ++k) {
    for (std::size_t j = 0; j < smaller[1]; ++j) {
      for (std::size_t i = 0; i < smaller[0]; ++i) {
        const std::size_t before = i + size[0] * (j + size[1] * k);
        result.push_back(
            (values[before + stride] * 8.0 - values[before] - values[before + 2 * stride]) / 6.0);
      }
    }
  }
  size = smaller;
  return result;
}

}  // namespace

SplineStencil make_stencil(const SplineLattice& lattice, const Vec3d& X) {
  SplineStencil stencil;
  for (std::size_t a = 0; a < 3; ++a) {
    const double u = (X[a] - lattice.origin[a]) / lattice.spacing;
    const double inside = std::clamp(u, 1.0, lattice.size[a] - 2.0);
    const double cell = std::min(std::floor(inside), lattice.size[a] - 3.0);
    stencil.first[a] = static_cast<std::int32_t>(cell) - 1;
    stencil.weights[a] = spline_weights(inside - cell);
    stencil.slopes[a] = spline_slopes(inside - cell);
    for (double& slope : stencil.slopes[a]) slope /= lattice.spacing;
    stencil.excess[a] = (u - inside) * lattice.spacing;
  }
  return stencil;
}

SplineLattice make_spline_lattice(const mesh::Bounds& bounds, double spacing, int margin) {
  SINEW_CHECK(spacing > 0, "the spacing of a spline is positive");
  SplineLattice lattice;
  lattice.spacing = spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    const double cells = std::max(1.0, std::ceil((bounds.high[a] - bounds.low[a]) / spacing));
    const double middle = 0.5 * (bounds.low[a] + bounds.high[a]);
    lattice.origin[a] = middle - (0.5 * cells + margin + 1) * spacing;
    lattice.size[a] = static_cast<std::int32_t>(cells) + 2 * margin + 3;
  }
  return lattice;
}

MapSample evaluate(const ActiveMap& map, const Vec3d& X, double alpha) {
  const SplineValue S = evaluate_spline(map, X);
  const Mat3d turn = make_turn(map.axis, alpha * map.angle);
  return {turn * (X + S.value * alpha - map.center) + map.center + map.shift * alpha,
          turn * (Mat3d::identity() + S.gradient * alpha)};
}

PrincipalStretches find_principal_stretches(const Mat3d& gradient, bool isochoric) {
  const PolarSvd svd = compute_polar_svd(gradient);
  PrincipalStretches stretches{svd.V, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    stretches.logarithms[i] = std::log(std::clamp(svd.s[i], kLeastStretch, kLargestStretch));
  }
  if (isochoric) {
    const Vec3d& l = stretches.logarithms;
    const double mean = (l.x + l.y + l.z) / 3;
    stretches.logarithms -= {mean, mean, mean};
  }
  return stretches;
}

Mat3d compute_stretch(const PrincipalStretches& stretches, double power) {
  const Vec3d& l = stretches.logarithms;
  const Vec3d s{std::exp(power * l.x), std::exp(power * l.y), std::exp(power * l.z)};
  return compose(stretches.directions, s, stretches.directions);
}

ActiveMap make_active_map(const std::function<Vec3d(const Vec3d&)>& psi, const mesh::Bounds& bounds,
                          double spacing) {
  ActiveMap map;
  map.lattice = make_spline_lattice(bounds, spacing, 2);
  std::array<std::size_t, 3> size{};
  for (std::size_t a = 0; a < 3; ++a) size[a] = static_cast<std::size_t>(map.lattice.size[a]) + 2;
  std::vector<Vec3d> values;
  values.reserve(size[0] * size[1] * size[2]);
  for (std::size_t k = 0; k < size[2]; ++k) {
    for (std::size_t j = 0; j < size[1]; ++j) {
      for (std::size_t i = 0; i < size[0]; ++i) {
        const Vec3d index{static_cast<double>(i) - 1, static_cast<double>(j) - 1,
                          static_cast<double>(k) - 1};
        const Vec3d X = map.lattice.origin + index * spacing;
        values.push_back(psi(X) - X);
      }
    }
  }
  for (std::size_t a = 0; a < 3; ++a) values = filter_axis(values, size, a);
  map.coefficients = std::move(values);
  return map;
}

ActiveMap make_uniform_active_map(const Vec3d& point, const Vec3d& axis, double stretch,
                                  const mesh::Bounds& bounds) {
  const double across = 1 / std::sqrt(stretch);
  const Mat3d L = Mat3d::identity() * across + Mat3d::outer(axis, axis) * (stretch - across);
  const Vec3d extent = bounds.high - bounds.low;
  const double spacing = std::max({extent.x, extent.y, extent.z, 1e-9}) / 2;
  return make_active_map([&](const Vec3d& X) { return point + L * (X - point); }, bounds, spacing);
}

}  // namespace sinew::anatomy
