#include "sinew/levelset/smooth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/levelset/components.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/volume_offset.h"

namespace sinew::levelset {
namespace {

using volume::Field;
using volume::Index;

// Values of the 27 voxels around one.
class Stencil {
 public:
  Stencil(const Field& field, std::size_t n) : values_(&field.voxels[n]), grid_(field.grid) {}
  double operator()(int i, int j, int k) const {
    return values_[i + static_cast<std::ptrdiff_t>(grid_.size[0]) *
                           (j + static_cast<std::ptrdiff_t>(grid_.size[1]) * k)];
  }

 private:
  const float* values_;
  const volume::Grid& grid_;
};

// Curvature times the size of the gradient, by central differences (Osher and Fedkiw 2003, 1.4).
double curvature_flow(const Stencil& v, double h) {
  const double x = (v(1, 0, 0) - v(-1, 0, 0)) / (2 * h);
  const double y = (v(0, 1, 0) - v(0, -1, 0)) / (2 * h);
  const double z = (v(0, 0, 1) - v(0, 0, -1)) / (2 * h);
  const double xx = (v(1, 0, 0) - 2 * v(0, 0, 0) + v(-1, 0, 0)) / (h * h);
  const double yy = (v(0, 1, 0) - 2 * v(0, 0, 0) + v(0, -1, 0)) / (h * h);
  const double zz = (v(0, 0, 1) - 2 * v(0, 0, 0) + v(0, 0, -1)) / (h * h);
  const double xy = (v(1, 1, 0) - v(1, -1, 0) - v(-1, 1, 0) + v(-1, -1, 0)) / (4 * h * h);
  const double yz = (v(0, 1, 1) - v(0, 1, -1) - v(0, -1, 1) + v(0, -1, -1)) / (4 * h * h);
  const double zx = (v(1, 0, 1) - v(1, 0, -1) - v(-1, 0, 1) + v(-1, 0, -1)) / (4 * h * h);
  const double squares = x * x + y * y + z * z;
  if (squares < 1e-6) return 0;  // on the medial axis: no direction, no flow
  return (x * x * (yy + zz) + y * y * (zz + xx) + z * z * (xx + yy) -
          2 * (x * y * xy + y * z * yz + z * x * zx)) /
         squares;
}

void step(Field& field, double h) {
  const std::vector<float> old = field.voxels;
  const Field before{field.grid, old};
  const auto near = static_cast<float>(2.5 * h);
  const double dt = h * h / 8;
  for (std::size_t n = 0; n < old.size(); ++n) {
    if (std::abs(old[n]) > near) continue;
    const Index at = volume::index_at(field.grid, n);
    bool rim = false;
    for (std::size_t a = 0; a < 3; ++a) rim |= at[a] == 0 || at[a] + 1 == field.grid.size[a];
    if (rim) continue;
    const double flow = curvature_flow(Stencil(before, n), h);
    // No faster than a sphere of one voxel: sharp edges have no curvature to speak of.
    field.voxels[n] = old[n] + static_cast<float>(dt * std::clamp(flow, -2 / h, 2 / h));
  }
}

// `smoothed` plus `offset`, no further than `bound` from `old`.
Field bounded(const Field& old, const Field& smoothed, double offset, double bound) {
  Field result = smoothed;
  for (std::size_t n = 0; n < result.voxels.size(); ++n) {
    const double low = old.voxels[n] - bound, high = old.voxels[n] + bound;
    result.voxels[n] = static_cast<float>(std::clamp(smoothed.voxels[n] + offset, low, high));
  }
  return result;
}

}  // namespace

bool smooth(LevelSet& level_set, int steps) {
  if (level_set.is_empty()) return true;
  const double h = level_set.voxel();
  const Field old = level_set.crop(grow(level_set.inside_box(), kBand));
  const double volume = compute_volume(old);
  const std::size_t num_pieces = find_components(old).sizes.size();
  Field smoothed = old;
  for (int n = 0; n < steps; ++n) step(smoothed, h);
  normalize_near_surface(smoothed, 0.3);
  for (const double bound : {0.5 * h, 0.25 * h, 0.125 * h}) {
    Field result = match_volume(
        [&](double offset) { return bounded(old, smoothed, offset, bound); }, 2 * h, volume);
    if (find_components(result).sizes.size() != num_pieces) continue;
    redistance(result, kBand * h);
    level_set = LevelSet(result);
    return true;
  }
  return false;
}

}  // namespace sinew::levelset
