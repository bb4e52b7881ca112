#include "sinew/anatomy/aponeurosis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sinew/anatomy/surface_paths.h"

namespace sinew::anatomy {
namespace {

constexpr int kSmoothing = 8;    // rounds of averaging of normals: grooves of the surface vanish
constexpr double kFacing = 0.5;  // cosine between normal and side that is still on the side
constexpr std::size_t kSlices = 40;  // along the muscle, for its girth
constexpr double kGirth = 0.25;      // of the largest girth: less is tendon

// Normals averaged over neighbours, so that they tell the side of the belly.
std::vector<Vec3d> smooth_normals(const mesh::Surface& surface) {
  std::vector<Vec3d> normals = compute_vertex_normals(surface);
  for (int round = 0; round < kSmoothing; ++round) {
    std::vector<Vec3d> next(normals.size());
    for (const auto& t : surface.triangles) {
      const Vec3d sum = normals[t[0]] + normals[t[1]] + normals[t[2]];
      for (const std::uint32_t v : t) next[v] += sum;
    }
    for (Vec3d& n : next) n = norm(n) > 0 ? normalized(n) : n;
    normals.swap(next);
  }
  return normals;
}

struct Range {
  double low, high;  // m, along the line of action
};

// Where the girth, the surface's area per length, is large.
Range find_belly(const mesh::Surface& surface, const Vec3d& along) {
  Range all = {dot(surface.positions[0], along), dot(surface.positions[0], along)};
  for (const Vec3d& x : surface.positions) {
    all = {std::min(all.low, dot(x, along)), std::max(all.high, dot(x, along))};
  }
  const double step = (all.high - all.low) / kSlices;
  const std::vector<double> areas = compute_vertex_areas(surface);
  std::vector<double> girth(kSlices);
  for (std::size_t v = 0; v < areas.size(); ++v) {
    const auto slice =
        static_cast<std::size_t>((dot(surface.positions[v], along) - all.low) / step);
    girth[std::min(slice, kSlices - 1)] += areas[v];
  }
  const double least = kGirth * *std::max_element(girth.begin(), girth.end());
  const auto large = [&](double g) { return g >= least; };
  const auto first = std::find_if(girth.begin(), girth.end(), large) - girth.begin();
  const auto last = std::find_if(girth.rbegin(), girth.rend(), large) - girth.rbegin();
  return {all.low + step * static_cast<double>(first), all.high - step * static_cast<double>(last)};
}

void mark_one(const mesh::Surface& surface, const std::vector<Vec3d>& normals, const Vec3d& along,
              const AponeurosisSettings& settings, std::uint8_t mark,
              std::vector<std::uint8_t>& marks) {
  const Vec3d across = settings.side - along * dot(settings.side, along);
  if (!is_finite(settings.side) || !(norm(across) > 1e-6 * norm(settings.side))) {
    throw std::invalid_argument("aponeurosis: its side must point across the muscle");
  }
  if (!(settings.cover > 0 && settings.cover <= 1)) {
    throw std::invalid_argument("aponeurosis: its cover must be in (0, 1]");
  }
  const Vec3d side = normalized(across);
  const Range belly = find_belly(surface, along);
  for (std::size_t v = 0; v < marks.size(); ++v) {
    const double at = (dot(surface.positions[v], along) - belly.low) / (belly.high - belly.low);
    const double from_end = mark == 1 ? at : 1 - at;
    if (marks[v] == 0 && from_end >= 0 && from_end <= settings.cover &&
        dot(normals[v], side) > kFacing) {
      marks[v] = mark;
    }
  }
}

}  // namespace

Vec3d find_line_of_action(const mesh::Surface& surface, std::span<const std::uint8_t> end) {
  if (end.size() != surface.positions.size()) {
    throw std::invalid_argument("fibres: each vertex of the surface needs a mark of its end");
  }
  const std::vector<double> areas = compute_vertex_areas(surface);
  std::array<Vec3d, 3> sum{};
  std::array<double, 3> area{};
  for (std::size_t v = 0; v < end.size(); ++v) {
    if (end[v] > 2) throw std::invalid_argument("fibres: marks of ends are 0, 1 and 2");
    sum[end[v]] += surface.positions[v] * areas[v];
    area[end[v]] += areas[v];
  }
  if (!(area[1] > 0)) throw std::invalid_argument("fibres: the surface has no origin");
  if (!(area[2] > 0)) throw std::invalid_argument("fibres: the surface has no insertion");
  const Vec3d line = sum[2] / area[2] - sum[1] / area[1];
  if (!(norm(line) > 0)) throw std::invalid_argument("fibres: origin and insertion coincide");
  return normalized(line);
}

std::vector<std::uint8_t> mark_aponeuroses(const mesh::Surface& surface,
                                           std::span<const std::uint8_t> end,
                                           const FiberSettings& settings) {
  const Vec3d along = find_line_of_action(surface, end);
  std::vector<std::uint8_t> marks(end.begin(), end.end());
  if (!settings.origin_aponeurosis && !settings.insertion_aponeurosis) return marks;
  const std::vector<Vec3d> normals = smooth_normals(surface);
  if (settings.origin_aponeurosis) {
    mark_one(surface, normals, along, *settings.origin_aponeurosis, 1, marks);
  }
  if (settings.insertion_aponeurosis) {
    mark_one(surface, normals, along, *settings.insertion_aponeurosis, 2, marks);
  }
  return marks;
}

}  // namespace sinew::anatomy
