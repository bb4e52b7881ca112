#include "sinew/levelset/nearest_voxel.h"

#include <cstddef>
#include <limits>

namespace sinew::levelset {
namespace {

// One line of voxels: the lower envelope of the parabolas that stand on them.
class Line {
 public:
  Line(std::size_t length, double spacing)
      : spacing_(spacing), height_(length), nearest_(length), at_(length), from_(length + 1) {}

  void transform(std::size_t first, std::size_t step, std::vector<double>& squares,
                 std::vector<std::uint32_t>& nearest) {
    const std::size_t length = height_.size();
    for (std::size_t q = 0; q < length; ++q) {
      height_[q] = squares[first + q * step];
      nearest_[q] = nearest[first + q * step];
    }
    const std::size_t count = build();
    if (count == 0) return;
    for (std::size_t q = 0, p = 0; q < length; ++q) {
      while (p + 1 < count && from_[p + 1] < static_cast<double>(q)) ++p;
      const double run = spacing_ * (static_cast<double>(q) - static_cast<double>(at_[p]));
      squares[first + q * step] = run * run + height_[at_[p]];
      nearest[first + q * step] = nearest_[at_[p]];
    }
  }

 private:
  std::size_t build() {
    std::size_t count = 0;
    for (std::size_t q = 0; q < height_.size(); ++q) {
      if (nearest_[q] == kNoVoxel) continue;
      double cut = -std::numeric_limits<double>::max();
      while (count > 0) {
        cut = crossing(at_[count - 1], q);
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
  double crossing(std::size_t p, std::size_t q) const {
    const double x = static_cast<double>(p), y = static_cast<double>(q);
    const double s = spacing_ * spacing_;
    return ((height_[q] + s * y * y) - (height_[p] + s * x * x)) / (2 * s * (y - x));
  }

  double spacing_;
  std::vector<double> height_;
  std::vector<std::uint32_t> nearest_;
  std::vector<std::size_t> at_;
  std::vector<double> from_;
};

}  // namespace

std::vector<std::uint32_t> find_nearest(const volume::Index& size, const Vec3d& spacing,
                                        const std::vector<std::uint8_t>& marks) {
  std::vector<double> squares(marks.size(), 0.0);
  std::vector<std::uint32_t> nearest(marks.size(), kNoVoxel);
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (marks[n] != 0) nearest[n] = static_cast<std::uint32_t>(n);
  }
  std::size_t step = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto length = static_cast<std::size_t>(size[a]);
    Line line(length, spacing[a]);
    for (std::size_t block = 0; block < marks.size(); block += step * length) {
      for (std::size_t n = block; n < block + step; ++n) line.transform(n, step, squares, nearest);
    }
    step *= length;
  }
  return nearest;
}

}  // namespace sinew::levelset
