#include "sinew/levelset/smooth.h"

#include <algorithm>
#include <cmath>
#include <utility>
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

// Voxels near the surface that have 26 neighbours: those that flow. Six steps of at most a quarter
// voxel each leave the others out of reach.
std::vector<std::size_t> find_band(const Field& field, double width) {
  std::vector<std::size_t> band;
  const Index& size = field.grid.size;
  for (std::int32_t k = 1; k + 1 < size[2]; ++k) {
    for (std::int32_t j = 1; j + 1 < size[1]; ++j) {
      const std::size_t row = volume::offset_of(field.grid, {0, j, k});
      for (std::size_t n = row + 1; n + 1 < row + static_cast<std::size_t>(size[0]); ++n) {
        if (std::abs(field.voxels[n]) <= width) band.push_back(n);
      }
    }
  }
  return band;
}

void step(const std::vector<std::size_t>& band, double h, Field& field) {
  const auto near = static_cast<float>(2.5 * h);
  const double dt = h * h / 8;
  std::vector<float> flowed(band.size());
  for (std::size_t b = 0; b < band.size(); ++b) {
    const float old = field.voxels[band[b]];
    flowed[b] = old;
    if (std::abs(old) > near) continue;
    const double flow = curvature_flow(Stencil(field, band[b]), h);
    // No faster than a sphere of one voxel: sharp edges have no curvature to speak of.
    flowed[b] += static_cast<float>(dt * std::clamp(flow, -2 / h, 2 / h));
  }
  for (std::size_t b = 0; b < band.size(); ++b) field.voxels[band[b]] = flowed[b];
}

}  // namespace

bool smooth(Field& field, int steps) {
  const double h = spacing_of(field.grid);
  const double volume = compute_volume(field);
  const std::size_t num_pieces = find_components(field).sizes.size();
  Field smoothed = field;
  const std::vector<std::size_t> band = find_band(field, (2.5 + 0.25 * steps) * h);
  for (int n = 0; n < steps; ++n) step(band, h, smoothed);
  normalize_near_surface(smoothed, 0.3);
  for (const double bound : {0.5 * h, 0.25 * h, 0.125 * h}) {
    Field result = match_volume(smoothed, field, bound, 2 * h, volume);
    if (find_components(result).sizes.size() != num_pieces) continue;
    field = std::move(result);
    return true;
  }
  return false;
}

bool smooth(LevelSet& level_set, int steps) {
  if (level_set.is_empty()) return true;
  const double h = level_set.voxel();
  Field field = level_set.crop(grow(level_set.inside_box(), kBand));
  if (!smooth(field, steps)) return false;
  redistance(field, kBand * h);
  level_set = LevelSet(field);
  return true;
}

}  // namespace sinew::levelset
