#include "sinew/eulerian/stretch_power.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/anatomy/active_map.h"

namespace sinew::eulerian {
namespace {

constexpr double kLeast = 1.0 / 400, kGreatest = 400;  // eigenvalues of C
constexpr double kEqual = 1e-7;                        // relative: differences are derivatives

// Of a symmetric matrix, falling.
Vec3d find_eigenvalues(const Mat3d& C) {
  const double mean = trace(C) / 3;
  const double x = C(0, 0) - mean, y = C(1, 1) - mean, z = C(2, 2) - mean;
  const double xy = C(0, 1), yz = C(1, 2), xz = C(0, 2);
  const double p = std::sqrt((x * x + y * y + z * z + 2 * (xy * xy + yz * yz + xz * xz)) / 6);
  if (p <= kEqual * std::abs(mean)) return {mean, mean, mean};
  const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double angle = std::acos(std::clamp(det / (2 * p * p * p), -1.0, 1.0)) / 3;
  const double first = mean + 2 * p * std::cos(angle);
  const double last = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3);
  return {first, 3 * mean - first - last, last};
}

}  // namespace

StretchPower compute_stretch_power(const Mat3d& A, double activation) {
  const Mat3d C = transpose(A) * A;
  const Vec3d e = find_eigenvalues(C);
  if (!(e.z > kLeast && e.x < kGreatest)) {
    const anatomy::PrincipalStretches U = anatomy::find_principal_stretches(A, false);
    const double sum = U.logarithms.x + U.logarithms.y + U.logarithms.z;
    return {anatomy::compute_stretch(U, -2 * activation), std::exp(activation * sum)};
  }
  const double p = -activation;
  const Vec3d log{std::log(e.x), std::log(e.y), std::log(e.z)};
  const Vec3d f{std::exp(p * log.x), std::exp(p * log.y), std::exp(p * log.z)};
  // Newton's divided differences of e^p.
  const auto slope = [&](double e0, double e1, double f0, double f1) {
    const double d = e0 - e1;
    return d > kEqual * e0 ? (f0 - f1) / d : p * f1 / e1;
  };
  const double first = slope(e.x, e.y, f.x, f.y), second = slope(e.y, e.z, f.y, f.z);
  const double spread = e.x - e.z;
  const double bend =
      spread > kEqual * e.x ? (first - second) / spread : 0.5 * p * (p - 1) * f.z / (e.z * e.z);
  const Mat3d I = Mat3d::identity();
  const Mat3d D = C - I * e.x;
  return {I * f.x + D * first + (D * (C - I * e.y)) * bend,
          std::exp(0.5 * activation * (log.x + log.y + log.z))};
}

}  // namespace sinew::eulerian
