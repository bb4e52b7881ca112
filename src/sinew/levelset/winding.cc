#include "sinew/levelset/winding.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::levelset {
namespace {

// Beside the voxels' centres, in voxels; unequal, so that no diagonal edge is met either.
constexpr double kAsideY = 1.234567e-7, kAsideZ = 2.718281e-7;

struct Corner {
  Vec3d at;  // in voxels from the box's first
  std::uint32_t vertex;
};

// Twice the area of (a, b, point) seen along x. Evaluated from the lower vertex to the higher one,
// whichever triangle asks: the two triangles of an edge get the same number, to the last bit.
double edge_function(const Corner& a, const Corner& b, double y, double z) {
  const Vec3d& p = a.vertex < b.vertex ? a.at : b.at;
  const Vec3d& q = a.vertex < b.vertex ? b.at : a.at;
  const double value = (q.y - p.y) * (z - p.z) - (q.z - p.z) * (y - p.y);
  return a.vertex < b.vertex ? value : -value;
}

class Counter {
 public:
  Counter(const mesh::Surface& surface, const IndexBox& box, double voxel)
      : surface_(surface), voxel_(voxel) {
    image_.grid = make_grid(box, voxel);
    image_.voxels.resize(num_voxels(image_.grid), 0);
  }

  volume::Image<std::int16_t> run() {
    for (const auto& t : surface_.triangles)
      add_triangle({corner(t[0]), corner(t[1]), corner(t[2])});
    const auto row = static_cast<std::size_t>(image_.grid.size[0]);
    // Each crossing stands at the last voxel before it: what lies further is behind.
    for (std::size_t begin = 0; begin < image_.voxels.size(); begin += row) {
      std::int16_t sum = 0;
      for (std::size_t n = begin + row; n-- > begin;) {
        sum = static_cast<std::int16_t>(sum + image_.voxels[n]);
        image_.voxels[n] = sum;
      }
    }
    return std::move(image_);
  }

 private:
  Corner corner(std::uint32_t vertex) const {
    return {(surface_.positions[vertex] - image_.grid.origin) / voxel_, vertex};
  }

  void add_triangle(const std::array<Corner, 3>& c) {
    const auto [y0, y1] = std::minmax({c[0].at.y, c[1].at.y, c[2].at.y});
    const auto [z0, z1] = std::minmax({c[0].at.z, c[1].at.z, c[2].at.z});
    const auto last_j = static_cast<std::int32_t>(std::floor(y1));
    const auto last_k = static_cast<std::int32_t>(std::floor(z1));
    for (auto k = static_cast<std::int32_t>(std::ceil(z0 - 1e-6)); k <= last_k; ++k) {
      for (auto j = static_cast<std::int32_t>(std::ceil(y0 - 1e-6)); j <= last_j; ++j) {
        add_crossing(c, j, k);
      }
    }
  }

  void add_crossing(const std::array<Corner, 3>& c, std::int32_t j, std::int32_t k) {
    const double y = j + kAsideY, z = k + kAsideZ;
    const double w2 = edge_function(c[0], c[1], y, z);
    const double w0 = edge_function(c[1], c[2], y, z);
    const double w1 = edge_function(c[2], c[0], y, z);
    const bool front = w0 > 0 && w1 > 0 && w2 > 0;  // its normal runs along +x: the ray leaves
    const bool back = w0 < 0 && w1 < 0 && w2 < 0;
    if (!front && !back) return;
    const double x = (w0 * c[0].at.x + w1 * c[1].at.x + w2 * c[2].at.x) / (w0 + w1 + w2);
    const auto i = static_cast<std::int32_t>(std::floor(x));
    if (!volume::contains(image_.grid, {i, j, k})) return;
    auto& count = image_.voxels[volume::offset_of(image_.grid, {i, j, k})];
    count = static_cast<std::int16_t>(count + (front ? 1 : -1));
  }

  const mesh::Surface& surface_;
  double voxel_;
  volume::Image<std::int16_t> image_;
};

}  // namespace

volume::Image<std::int16_t> compute_winding(const mesh::Surface& surface, const IndexBox& box,
                                            double voxel) {
  return Counter(surface, box, voxel).run();
}

}  // namespace sinew::levelset
