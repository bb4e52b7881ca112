#include "sinew/core/svd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {
namespace {

// One-sided Jacobi: rotate columns p and q of A (and of V) until they are orthogonal.
// Returns whether a rotation was needed.
bool orthogonalize(Mat3d& A, Mat3d& V, std::size_t p, std::size_t q) {
  const double app = dot(A.col(p), A.col(p));
  const double aqq = dot(A.col(q), A.col(q));
  const double apq = dot(A.col(p), A.col(q));
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  if (std::abs(apq) <= kEpsilon * std::sqrt(app * aqq)) return false;
  const double zeta = (aqq - app) / (2 * apq);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double c = 1 / std::sqrt(1 + t * t);
  const double s = c * t;
  for (Mat3d* m : {&A, &V}) {
    const Vec3d a = m->col(p);
    const Vec3d b = m->col(q);
    m->col(p) = c * a - s * b;
    m->col(q) = s * a + c * b;
  }
  return true;
}

}  // namespace

PolarSvd compute_polar_svd(const Mat3d& F) {
  // Scaling keeps the squares of very large and very small entries in range.
  double scale = 0;
  for (const Vec3d& c : F.columns) {
    scale = std::max({scale, std::abs(c.x), std::abs(c.y), std::abs(c.z)});
  }
  if (scale == 0) return {Mat3d::identity(), {0, 0, 0}, Mat3d::identity()};
  Mat3d A = {{F.col(0) / scale, F.col(1) / scale, F.col(2) / scale}};
  Mat3d V = Mat3d::identity();
  constexpr int kMaxSweeps = 12;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = orthogonalize(A, V, 0, 1);
    rotated |= orthogonalize(A, V, 0, 2);
    rotated |= orthogonalize(A, V, 1, 2);
    if (!rotated) break;
  }

  // Columns in order of length; each swap negates one column, so that V stays a rotation.
  Vec3d length{norm(A.col(0)), norm(A.col(1)), norm(A.col(2))};
  for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
    if (length[p] >= length[q]) continue;
    std::swap(length[p], length[q]);
    for (Mat3d* m : {&A, &V}) {
      std::swap(m->col(p), m->col(q));
      m->col(p) = -m->col(p);
    }
  }

  // Left directions; columns too short to have one are completed to a rotation.
  constexpr double kTiny = 1e-14;
  Mat3d U;
  U.col(0) = A.col(0) / length.x;
  U.col(1) = length.y > kTiny * length.x ? A.col(1) / length.y : any_perpendicular(U.col(0));
  U.col(1) = normalized(U.col(1) - U.col(0) * dot(U.col(0), U.col(1)));
  U.col(2) = cross(U.col(0), U.col(1));
  // The third stretch carries the sign of det F: its direction points against A's third column
  // where F mirrors.
  const double s2 = dot(U.col(2), A.col(2));
  return {U, {length.x * scale, length.y * scale, s2 * scale}, V};
}

}  // namespace sinew
