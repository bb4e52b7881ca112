#include "sinew/brick/polynomial.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::brick {
namespace {

using Row = std::array<double, kBrickNodes>;

constexpr std::array<std::array<int, 3>, kBrickNodes> kPowers = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1},
     {1, 1, 1}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0},
     {0, 2, 1}, {1, 0, 2}, {0, 1, 2}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}}};

double power(double x, int n) {
  return n == 0 ? 1 : (n == 1 ? x : x * x);
}
double power_slope(double x, int n) {
  return n == 0 ? 0 : (n == 1 ? 1 : 2 * x);
}

// Gauss-Jordan of the monomials at the nodes. Entries of the inverse are eighths, which rounding
// restores exactly.
std::array<Row, kBrickNodes> invert_monomials() {
  std::array<Row, kBrickNodes> a{}, inverse{};
  for (std::size_t n = 0; n < kBrickNodes; ++n) {
    const Vec3d& xi = natural_nodes()[n];
    for (std::size_t m = 0; m < kBrickNodes; ++m) {
      a[n][m] =
          power(xi.x, kPowers[m][0]) * power(xi.y, kPowers[m][1]) * power(xi.z, kPowers[m][2]);
    }
    inverse[n][n] = 1;
  }
  for (std::size_t c = 0; c < kBrickNodes; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c + 1; i < kBrickNodes; ++i) {
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    }
    std::swap(a[c], a[pivot]);
    std::swap(inverse[c], inverse[pivot]);
    for (std::size_t i = 0; i < kBrickNodes; ++i) {
      if (i == c) continue;
      const double factor = a[i][c] / a[c][c];
      for (std::size_t j = 0; j < kBrickNodes; ++j) {
        a[i][j] -= factor * a[c][j];
        inverse[i][j] -= factor * inverse[c][j];
      }
    }
  }
  for (std::size_t i = 0; i < kBrickNodes; ++i) {
    for (double& x : inverse[i]) x = std::round(8 * x / a[i][i]) / 8;
  }
  return inverse;
}

std::array<Vec3d, kBrickNodes> complete(const BrickIndices& brick,
                                        std::span<const Vec3d> positions) {
  std::array<Vec3d, kBrickNodes> nodes = gather(brick, positions);
  for (std::size_t e = 0; e < kEdgeCorners.size(); ++e) {
    if (brick[8 + e] != kNoNode) continue;
    nodes[8 + e] = 0.5 * (nodes[kEdgeCorners[e][0]] + nodes[kEdgeCorners[e][1]]);
  }
  return nodes;
}

}  // namespace

Polynomial make_polynomial(const BrickIndices& brick, std::span<const Vec3d> positions) {
  static const std::array<Row, kBrickNodes> kInverse = invert_monomials();
  const std::array<Vec3d, kBrickNodes> nodes = complete(brick, positions);
  Polynomial out{};
  for (std::size_t m = 0; m < kBrickNodes; ++m) {
    for (std::size_t n = 0; n < kBrickNodes; ++n) {
      out.coefficients[m] += nodes[n] * kInverse[m][n];
    }
  }
  return out;
}

MappedPoint evaluate(const Polynomial& polynomial, const Vec3d& xi) {
  MappedPoint out{};
  for (std::size_t m = 0; m < kBrickNodes; ++m) {
    const auto& p = kPowers[m];
    const double r = power(xi.x, p[0]), s = power(xi.y, p[1]), t = power(xi.z, p[2]);
    const Vec3d& c = polynomial.coefficients[m];
    out.position += c * (r * s * t);
    out.jacobian.col(0) += c * (power_slope(xi.x, p[0]) * s * t);
    out.jacobian.col(1) += c * (r * power_slope(xi.y, p[1]) * t);
    out.jacobian.col(2) += c * (r * s * power_slope(xi.z, p[2]));
  }
  return out;
}

ElementBox compute_box(const Polynomial& polynomial) {
  // Each monomial lies in [-1, 1], an even one in [0, 1].
  ElementBox box{polynomial.coefficients[0], polynomial.coefficients[0]};
  for (std::size_t m = 1; m < kBrickNodes; ++m) {
    const bool even = m >= 8 && m <= 10;
    for (std::size_t i = 0; i < 3; ++i) {
      const double c = polynomial.coefficients[m][i];
      box.low[i] += even ? std::min(c, 0.0) : -std::abs(c);
      box.high[i] += even ? std::max(c, 0.0) : std::abs(c);
    }
  }
  return box;
}

}  // namespace sinew::brick
