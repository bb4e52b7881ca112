#include "sinew/anatomy/fit_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew::anatomy {
namespace {

constexpr std::uint32_t kSteps = 3;  // of the grid for folds, to a control point
constexpr double kNear = 0.01;       // of the size: outside by less counts as covered
constexpr double kEnd = 0.05;        // of w: the ends, where the surface closes over the fibres

std::vector<Vec3d> vertex_normals(const mesh::Surface& surface) {
  std::vector<Vec3d> normals(surface.positions.size());
  for (const auto& t : surface.triangles) {
    const Vec3d& a = surface.positions[t[0]];
    const Vec3d area = cross(surface.positions[t[1]] - a, surface.positions[t[2]] - a);
    for (const std::uint32_t v : t) normals[v] += area;
  }
  return normals;
}

}  // namespace

double compute_least_jacobian(const BsplineSolid& solid) {
  double least = 1;
  const auto steps = [&](std::size_t a) { return kSteps * solid.counts[a]; };
  for (std::uint32_t k = 0; k <= steps(2); ++k) {
    for (std::uint32_t j = 0; j <= steps(1); ++j) {
      for (std::uint32_t i = 0; i <= steps(0); ++i) {
        const Vec3d uvw = {static_cast<double>(i) / steps(0), static_cast<double>(j) / steps(1),
                           static_cast<double>(k) / steps(2)};
        const Mat3d J = evaluate_with_jacobian(solid, uvw).jacobian;
        const double box = norm(J.col(0)) * norm(J.col(1)) * norm(J.col(2));
        least = std::min(least, box > 0 ? determinant(J) / box : 0);
      }
    }
  }
  return least;
}

void add_surface_report(const mesh::Surface& surface, BsplineFit& fit) {
  const SolidInverse inverse(fit.solid);
  const std::vector<Vec3d> normals = vertex_normals(surface);
  std::vector<double> angles;
  std::size_t covered = 0;
  for (std::size_t v = 0; v < normals.size(); ++v) {
    const SolidPoint found = inverse.find(surface.positions[v]);
    fit.report.largest_gap = std::max(fit.report.largest_gap, found.distance);
    if (found.distance <= kNear * inverse.size()) ++covered;
    if (found.uvw.z < kEnd || found.uvw.z > 1 - kEnd || !(norm(normals[v]) > 0)) continue;
    const Vec3d along = evaluate_with_jacobian(fit.solid, found.uvw).jacobian.col(2);
    if (!(norm(along) > 0)) continue;
    const double sine = std::abs(dot(normalized(along), normalized(normals[v])));
    angles.push_back(std::asin(std::min(sine, 1.0)));
  }
  fit.report.covered = static_cast<double>(covered) / static_cast<double>(normals.size());
  if (angles.empty()) return;
  std::sort(angles.begin(), angles.end());
  fit.report.mean_angle =
      std::accumulate(angles.begin(), angles.end(), 0.0) / static_cast<double>(angles.size());
  fit.report.p95_angle = angles[angles.size() * 95 / 100];
}

}  // namespace sinew::anatomy
