#include "sinew/mesh/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/parallel.h"

namespace sinew::mesh {
namespace {

constexpr std::size_t kGrain = 8192;

// Twice the area of each face times its outward normal; face i is opposite to corner i.
std::array<Vec3d, 4> face_normals(const TetCorners& x) {
  const Vec3d a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const Vec3d n1 = cross(c, b), n2 = cross(a, c), n3 = cross(b, a);
  return {-(n1 + n2 + n3), n1, n2, n3};  // the normals of a closed surface sum to zero
}

QualityReport merge(const QualityReport& a, const QualityReport& b) {
  return {{std::min(a.dihedral.smallest, b.dihedral.smallest),
           std::max(a.dihedral.largest, b.dihedral.largest)},
          std::max(a.worst_aspect, b.worst_aspect),
          a.volume + b.volume,
          a.num_inverted + b.num_inverted};
}

constexpr QualityReport kBest{{std::numbers::pi, 0}, 0, 0, 0};

}  // namespace

double compute_volume(const TetCorners& x) {
  return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6;
}

DihedralRange compute_dihedral_range(const TetCorners& corners) {
  std::array<Vec3d, 4> normals = face_normals(corners);
  for (Vec3d& n : normals) {
    const double size = norm(n);
    if (!(size > 0)) return {0, std::numbers::pi};
    n = n / size;
  }
  double low = 1, high = -1;  // of the cosines
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double cosine = -dot(normals[i], normals[j]);
      low = std::min(low, cosine);
      high = std::max(high, cosine);
    }
  }
  return {std::acos(std::clamp(high, -1.0, 1.0)), std::acos(std::clamp(low, -1.0, 1.0))};
}

double compute_aspect(const TetCorners& corners) {
  double area = 0, longest = 0;
  for (const Vec3d& n : face_normals(corners)) area += 0.5 * norm(n);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, norm(corners[i] - corners[j]));
  }
  const double radius = 3 * std::abs(compute_volume(corners)) / area;
  if (!(radius > 0)) return std::numeric_limits<double>::infinity();
  return longest / (2 * std::sqrt(6.0) * radius);
}

QualityReport compute_quality(std::span<const Vec3d> positions, std::span<const TetNodes> tets) {
  if (tets.empty()) return {};
  std::vector<QualityReport> pieces((tets.size() + kGrain - 1) / kGrain, kBest);
  parallel_for(tets.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    QualityReport piece = kBest;
    for (std::size_t t = begin; t < end; ++t) {
      const TetCorners corners = corners_of(positions, tets[t]);
      const double volume = compute_volume(corners);
      piece = merge(piece, {compute_dihedral_range(corners), compute_aspect(corners), volume,
                            volume > 0 ? 0U : 1U});
    }
    pieces[begin / kGrain] = piece;
  });
  return std::accumulate(pieces.begin(), pieces.end(), kBest, merge);
}

std::size_t count_components(std::size_t num_nodes, std::span<const TetNodes> tets) {
  DisjointSets sets(num_nodes);
  std::vector<bool> used(num_nodes);
  for (const TetNodes& tet : tets) {
    for (const std::uint32_t n : tet) {
      sets.join(tet[0], n);
      used[n] = true;
    }
  }
  std::size_t components = 0;
  for (std::size_t n = 0; n < num_nodes; ++n) components += used[n] && sets.find(n) == n ? 1 : 0;
  return components;
}

}  // namespace sinew::mesh
