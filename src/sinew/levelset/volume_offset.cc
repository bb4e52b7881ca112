#include "sinew/levelset/volume_offset.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sinew/levelset/distance_field.h"

namespace sinew::levelset {
namespace {

// The volume as a function of the offset. Only cells that an offset within reach can change are
// looked at again; there are few of them.
class MovedVolume {
 public:
  MovedVolume(const volume::Field& values, const volume::Field& anchor, double bound, double reach)
      : values_(values), anchor_(anchor), bound_(bound), corners_(cell_corners(values.grid)) {
    classify(reach);
    const auto& size = values.grid.size;
    for (std::int32_t k = 0; k + 1 < size[2]; ++k) {
      for (std::int32_t j = 0; j + 1 < size[1]; ++j) {
        const std::size_t row = volume::offset_of(values.grid, {0, j, k});
        for (std::size_t n = row; n + 1 < row + static_cast<std::size_t>(size[0]); ++n) {
          sort_cell(n);
        }
      }
    }
    const double h = spacing_of(values.grid);
    cell_volume_ = h * h * h;
  }

  double moved(std::size_t n, double offset) const {
    const double at = anchor_.voxels[n];
    return std::clamp(values_.voxels[n] + offset, at - bound_, at + bound_);
  }

  double operator()(double offset) const {
    double cells = num_inside_;
    for (const std::size_t n : near_) {
      std::array<double, 8> v;
      for (std::size_t c = 0; c < 8; ++c) v[c] = moved(n + corners_[c], offset);
      cells += filled_part(v);
    }
    return cells * cell_volume_;
  }

 private:
  // Which voxels stay inside or outside, whatever the offset.
  void classify(double reach) {
    stays_.resize(values_.voxels.size());
    for (std::size_t n = 0; n < stays_.size(); ++n) {
      stays_[n] = static_cast<std::uint8_t>((moved(n, reach) < 0 ? kInside : 0) |
                                            (moved(n, -reach) >= 0 ? kOutside : 0));
    }
  }

  void sort_cell(std::size_t n) {
    std::uint8_t all = kInside | kOutside;
    for (const std::size_t c : corners_) all &= stays_[n + c];
    if (all == kInside) num_inside_ += 1;
    if (all == 0) near_.push_back(n);
  }

  static constexpr std::uint8_t kInside = 1, kOutside = 2;
  const volume::Field& values_;
  const volume::Field& anchor_;
  double bound_;
  std::array<std::size_t, 8> corners_;
  double num_inside_ = 0;
  double cell_volume_ = 0;
  std::vector<std::uint8_t> stays_;  // (num_voxels)
  std::vector<std::size_t> near_;
};

// The Illinois variant of regula falsi.
double find_offset(const MovedVolume& moved, double reach, double volume) {
  const auto surplus = [&](double c) { return moved(c) - volume; };
  double low = -reach, high = reach;
  double f_low = surplus(low), f_high = surplus(high);
  if (f_low <= 0) return low;
  if (f_high >= 0) return high;
  double c = 0;
  for (int n = 0; n < 12; ++n) {
    c = (low * f_high - high * f_low) / (f_high - f_low);
    const double f = surplus(c);
    if (std::abs(f) < 1e-5 * volume) break;
    if (f > 0) {
      low = c, f_low = f, f_high *= 0.5;
    } else {
      high = c, f_high = f, f_low *= 0.5;
    }
  }
  return c;
}

}  // namespace

volume::Field match_volume(const volume::Field& values, const volume::Field& anchor, double bound,
                           double reach, double volume) {
  const MovedVolume moved(values, anchor, bound, reach);
  const double offset = find_offset(moved, reach, volume);
  volume::Field result = values;
  for (std::size_t n = 0; n < result.voxels.size(); ++n) {
    result.voxels[n] = static_cast<float>(moved.moved(n, offset));
  }
  return result;
}

}  // namespace sinew::levelset
