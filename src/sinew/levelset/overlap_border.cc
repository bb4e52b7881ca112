#include "sinew/levelset/overlap_border.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sinew::levelset {
namespace {

volume::Field crop_thickness(const Claim& claim, const IndexBox& box) {
  const double h = claim.level_set.voxel();
  volume::Field result;
  result.grid = make_grid(box, h);
  result.voxels.assign(num_voxels(result.grid), static_cast<float>(0.5 * h));
  if (claim.thickness.voxels.empty()) return result;
  const IndexBox known = box_of(claim.thickness.grid);
  const IndexBox both = intersect(box, known);
  for (std::int32_t k = both.low[2]; k <= both.high[2]; ++k) {
    for (std::int32_t j = both.low[1]; j <= both.high[1]; ++j) {
      const std::size_t from = volume::offset_of(
          claim.thickness.grid, {both.low[0] - known.low[0], j - known.low[1], k - known.low[2]});
      const std::size_t to = volume::offset_of(
          result.grid, {both.low[0] - box.low[0], j - box.low[1], k - box.low[2]});
      const auto length = static_cast<std::size_t>(std::max(both.high[0] - both.low[0] + 1, 0));
      std::copy_n(&claim.thickness.voxels[from], length, &result.voxels[to]);
    }
  }
  return result;
}

// Size of the slope by central differences, one-sided at the rim.
float slope_at(const volume::Field& field, std::size_t n, double h) {
  const volume::Index at = volume::index_at(field.grid, n);
  double squares = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    volume::Index low = at, high = at;
    low[a] = std::max(at[a] - 1, 0);
    high[a] = std::min(at[a] + 1, field.grid.size[a] - 1);
    const double rise = static_cast<double>(field.voxels[volume::offset_of(field.grid, high)]) -
                        field.voxels[volume::offset_of(field.grid, low)];
    const double slope = rise / (h * std::max(high[a] - low[a], 1));
    squares += slope * slope;
  }
  return static_cast<float>(std::sqrt(squares));
}

}  // namespace

IndexBox contact_box(const LevelSet& a, const LevelSet& b) {
  const IndexBox both = intersect(grow(a.inside_box(), 1), grow(b.inside_box(), 1));
  return is_empty(both) ? both : grow(both, 1);
}

volume::Field compute_border(const Claim& a, const Claim& b, const IndexBox& box) {
  const volume::Field phi_a = a.level_set.crop(box), phi_b = b.level_set.crop(box);
  const volume::Field t_a = crop_thickness(a, box), t_b = crop_thickness(b, box);
  volume::Field border;
  border.grid = phi_a.grid;
  border.voxels.resize(phi_a.voxels.size());
  for (std::size_t n = 0; n < border.voxels.size(); ++n) {
    border.voxels[n] = (phi_a.voxels[n] * t_b.voxels[n] - phi_b.voxels[n] * t_a.voxels[n]) /
                       (t_a.voxels[n] + t_b.voxels[n]);
  }
  // Where one solid lies along the other its depths nearly cancel: steepened, but by no more than
  // four, for noise would be steepened too. Slopes are at most about one: three voxels off it, or
  // off either solid, there is no zero nearby whose place could change.
  const auto far = static_cast<float>(3 * a.level_set.voxel());
  std::vector<float> steep = border.voxels;
  for (std::size_t n = 0; n < steep.size(); ++n) {
    if (std::abs(steep[n]) > far || std::max(phi_a.voxels[n], phi_b.voxels[n]) > far) continue;
    steep[n] /= std::clamp(slope_at(border, n, a.level_set.voxel()), 0.25F, 1.0F);
  }
  border.voxels = std::move(steep);
  return border;
}

}  // namespace sinew::levelset
