#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/brick/free_form.h"

namespace sinew::brick {
namespace {

constexpr double kInside = 1 + 1e-9;
constexpr int kNewtonSteps = 30;

double size_of(const Vec3d& xi) {
  return std::max({std::abs(xi.x), std::abs(xi.y), std::abs(xi.z)});
}
Vec3d clamped(const Vec3d& xi, double limit) {
  return {std::clamp(xi.x, -limit, limit), std::clamp(xi.y, -limit, limit),
          std::clamp(xi.z, -limit, limit)};
}

// Equation (15) with halved steps; true where the residual is down to rounding.
bool newton(const Polynomial& polynomial, const Vec3d& x, Vec3d& xi, double& miss) {
  MappedPoint at = evaluate(polynomial, xi);
  miss = norm(x - at.position);
  const double scale =
      norm(at.jacobian.col(0)) + norm(at.jacobian.col(1)) + norm(at.jacobian.col(2));
  for (int k = 0; k < kNewtonSteps && miss > 1e-13 * scale; ++k) {
    const double det = determinant(at.jacobian);
    if (std::abs(det) < 1e-12 * scale * scale * scale) return false;
    const Vec3d step = inverse(at.jacobian) * (x - at.position);
    bool better = false;
    for (double part = 1; part > 1e-3; part *= 0.5) {
      const Vec3d next = clamped(xi + part * step, 1 + kMostOutside);
      const MappedPoint there = evaluate(polynomial, next);
      const double rest = norm(x - there.position);
      if (!(rest < miss)) continue;
      xi = next, at = there, miss = rest, better = true;
      break;
    }
    if (!better) break;
  }
  return miss <= 1e-10 * scale;
}

// The sum of the degrees of a monomial, which bounds its slopes in the cube.
double degree(std::size_t m) {
  if (m <= 3) return 1;
  if (m <= 6 || (m >= 8 && m <= 10)) return 2;
  return m <= 16 ? 3 : 4;
}

// A bound of how far each coordinate of x moves for a unit of natural coordinates, m.
Vec3d slope_bound(const Polynomial& p) {
  Vec3d sum{};
  for (std::size_t m = 1; m < kBrickNodes; ++m) {
    for (std::size_t i = 0; i < 3; ++i) sum[i] += degree(m) * std::abs(p.coefficients[m][i]);
  }
  return sum;
}

bool within(const Vec3d& x, const Vec3d& reach) {
  return std::abs(x.x) <= reach.x && std::abs(x.y) <= reach.y && std::abs(x.z) <= reach.z;
}

// Whether the map has one inverse at most over all that Newton may reach: its derivative stays
// within less than 1 of that in the middle, relative to it.
bool surely_injective(const Polynomial& p) {
  const Mat3d middle{{p.coefficients[1], p.coefficients[2], p.coefficients[3]}};
  if (!(determinant(middle) > 0)) return false;
  const Mat3d back = inverse(middle);
  double sum = 0;
  for (std::size_t m = 4; m < kBrickNodes; ++m) {
    const double grown = std::pow(1 + kMostOutside, degree(m) - 1);
    sum += degree(m) * grown * norm(back * p.coefficients[m]);
  }
  return sum < 1;
}

// A box of natural coordinates that may hold the point.
struct Part {
  Vec3d middle;
  double half;
};

// The eighths of a part that may hold x.
void add_eighths(const Polynomial& polynomial, const Vec3d& x, const Part& part, const Vec3d& bound,
                 std::vector<Part>& out) {
  const double h = part.half / 2;
  for (int child = 0; child < 8; ++child) {
    const Vec3d middle = part.middle + Vec3d{(child & 1) != 0 ? h : -h, (child & 2) != 0 ? h : -h,
                                             (child & 4) != 0 ? h : -h};
    if (!within(evaluate(polynomial, middle).position - x, bound * h)) continue;
    out.push_back({middle, h});
  }
}

// Subdivides [-1, 1]^3; in each small part that may hold x Newton is tried.
bool search(const Polynomial& polynomial, const Vec3d& x, Vec3d& xi, double& miss) {
  constexpr int kLevels = 3;
  const Vec3d bound = slope_bound(polynomial);
  std::vector<Part> parts = {{{0, 0, 0}, 1}};
  for (int level = 0; level < kLevels; ++level) {
    std::vector<Part> next;
    for (const Part& part : parts) add_eighths(polynomial, x, part, bound, next);
    parts = std::move(next);
  }
  for (const Part& part : parts) {
    Vec3d guess = part.middle;
    double rest = 0;
    if (newton(polynomial, x, guess, rest) && size_of(guess) <= kInside) {
      xi = guess, miss = rest;
      return true;
    }
  }
  return false;
}

}  // namespace

bool approach(const Polynomial& polynomial, const Vec3d& x, EmbeddedPoint& out) {
  out.xi = {};
  const bool solved = newton(polynomial, x, out.xi, out.miss);
  out.inside = solved && size_of(out.xi) <= kInside;
  return solved;
}

bool invert(const Polynomial& polynomial, const Vec3d& x, EmbeddedPoint& out) {
  const bool solved = approach(polynomial, x, out);
  if (out.inside) return true;
  if (!holds(compute_box(polynomial), x)) return false;
  const bool at_limit = size_of(out.xi) > 1 + 0.999 * kMostOutside;
  if ((solved || at_limit) && surely_injective(polynomial)) return false;
  Vec3d xi{};
  double miss = 0;
  if (!search(polynomial, x, xi, miss)) return false;
  out.xi = xi, out.miss = miss, out.inside = true;
  return true;
}

}  // namespace sinew::brick
