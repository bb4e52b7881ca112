#include "sinew/levelset/nearest_voxel.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace sinew::levelset {
namespace {

// Lines of voxels that lie side by side in memory: the lower envelope of the parabolas that stand
// on each line's voxels. Several at a time, for those across the rows are far apart in memory.
class Lines {
 public:
  static constexpr std::size_t kWidth = 16;

  Lines(std::size_t length, double spacing, double reach)
      : length_(length),
        spacing_(spacing),
        limit_(reach * reach),
        height_(kWidth * length),
        nearest_(kWidth * length),
        at_(length),
        from_(length) {}

  // Lines that begin at `first` and the `width` - 1 voxels after it, with `step` between voxels.
  void transform(std::size_t first, std::size_t width, std::size_t step,
                 std::vector<double>& squares, std::vector<std::uint32_t>& nearest) {
    for (std::size_t q = 0; q < length_; ++q) {
      for (std::size_t w = 0; w < width; ++w) {
        height_[w * length_ + q] = squares[first + w + q * step];
        nearest_[w * length_ + q] = nearest[first + w + q * step];
      }
    }
    for (std::size_t w = 0; w < width; ++w) {
      if (is_all_marked(w)) continue;
      const std::size_t count = build(w);
      if (count > 0) write(w, count, first + w, step, squares, nearest);
    }
  }

 private:
  bool is_all_marked(std::size_t w) const {
    for (std::size_t q = w * length_; q < (w + 1) * length_; ++q) {
      if (nearest_[q] == kNoVoxel || height_[q] > 0) return false;
    }
    return true;
  }

  std::size_t build(std::size_t w) {
    std::size_t count = 0;
    for (std::size_t q = 0; q < length_; ++q) {
      if (nearest_[w * length_ + q] == kNoVoxel) continue;
      double cut = -std::numeric_limits<double>::max();
      while (count > 0) {
        cut = crossing(&height_[w * length_], at_[count - 1], q);
        if (cut > from_[count - 1]) break;
        --count;
      }
      if (count == 0) cut = -std::numeric_limits<double>::max();
      at_[count] = q;
      from_[count] = cut;
      ++count;
    }
    return count;
  }

  void write(std::size_t w, std::size_t count, std::size_t first, std::size_t step,
             std::vector<double>& squares, std::vector<std::uint32_t>& nearest) const {
    for (std::size_t q = 0, p = 0; q < length_; ++q) {
      while (p + 1 < count && from_[p + 1] < static_cast<double>(q)) ++p;
      const double run = spacing_ * (static_cast<double>(q) - static_cast<double>(at_[p]));
      const double square = run * run + height_[w * length_ + at_[p]];
      if (square > limit_) continue;  // nothing farther comes from here
      squares[first + q * step] = square;
      nearest[first + q * step] = nearest_[w * length_ + at_[p]];
    }
  }

  double crossing(const double* height, std::size_t p, std::size_t q) const {
    const double x = static_cast<double>(p), y = static_cast<double>(q);
    const double s = spacing_ * spacing_;
    return ((height[q] + s * y * y) - (height[p] + s * x * x)) / (2 * s * (y - x));
  }

  std::size_t length_;
  double spacing_, limit_;
  std::vector<double> height_;          // (kWidth x length)
  std::vector<std::uint32_t> nearest_;  // (kWidth x length)
  std::vector<std::size_t> at_;
  std::vector<double> from_;
};

}  // namespace

std::vector<std::uint32_t> find_nearest(const volume::Index& size, const Vec3d& spacing,
                                        const std::vector<std::uint8_t>& marks, double reach) {
  std::vector<double> squares(marks.size(), 0.0);
  std::vector<std::uint32_t> nearest(marks.size(), kNoVoxel);
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (marks[n] != 0) nearest[n] = static_cast<std::uint32_t>(n);
  }
  std::size_t step = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto length = static_cast<std::size_t>(size[a]);
    Lines lines(length, spacing[a], reach);
    for (std::size_t block = 0; block < marks.size(); block += step * length) {
      for (std::size_t n = 0; n < step; n += Lines::kWidth) {
        lines.transform(block + n, std::min(Lines::kWidth, step - n), step, squares, nearest);
      }
    }
    step *= length;
  }
  return nearest;
}

}  // namespace sinew::levelset
