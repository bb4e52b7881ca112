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
  const double r = xi.x, s = xi.y, t = xi.z;
  const double rs = r * s, st = s * t, tr = r * t, rr = r * r, ss = s * s, tt = t * t;
  // Written out: the loop over powers costs six times as much, and this is where embedding spends
  // its time. The order is that of kPowers.
  const Row values = {1,      r,      s,      t,       rs,      st,     tr,
                      rs * t, rr,     ss,     tt,      rr * s,  rr * t, r * ss,
                      ss * t, r * tt, s * tt, rr * st, rs * st, rs * tt};
  const Row by_r = {0, 1,      0,      0,  s, 0,  t, st,         2 * r,  0,
                    0, 2 * rs, 2 * tr, ss, 0, tt, 0, 2 * rs * t, ss * t, s * tt};
  const Row by_s = {0, 0,  1, 0,      r,      t, 0,  tr,     0,          2 * s,
                    0, rr, 0, 2 * rs, 2 * st, 0, tt, rr * t, 2 * rs * t, r * tt};
  const Row by_t = {0,     0, 0,  1, 0,  s,      r,      rs,     0,      0,
                    2 * t, 0, rr, 0, ss, 2 * tr, 2 * st, rr * s, r * ss, 2 * rs * t};
  MappedPoint out{};
  for (std::size_t m = 0; m < kBrickNodes; ++m) {
    const Vec3d& c = polynomial.coefficients[m];
    out.position += c * values[m];
    out.jacobian.col(0) += c * by_r[m];
    out.jacobian.col(1) += c * by_s[m];
    out.jacobian.col(2) += c * by_t[m];
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

bool holds(const ElementBox& box, const Vec3d& x) {
  const double slack = 1e-9 * norm(box.high - box.low);
  for (std::size_t i = 0; i < 3; ++i) {
    if (x[i] < box.low[i] - slack || x[i] > box.high[i] + slack) return false;
  }
  return true;
}

}  // namespace sinew::brick
