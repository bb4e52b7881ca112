#include "sinew/volume/voxel_distance.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::volume {
namespace {

// Squared distances in voxels, at most 3 * 121^2: they fit, with room for one more addition.
using Squared = std::vector<std::uint16_t>;

// Squared distance along a row to the nearest voxel with this value, `far` where none is within
// `reach`.
void scan_row(const std::uint8_t* mask, std::uint8_t value, int count, int reach, std::uint16_t far,
              std::uint16_t* out) {
  const auto scan = [&](int first, int last, int step) {
    int since = reach + 1;
    for (int i = first; i != last; i += step) {
      since = mask[i] == value ? 0 : std::min(since + 1, reach + 1);
      const auto squared = since > reach ? far : static_cast<std::uint16_t>(since * since);
      out[i] = std::min(out[i], squared);
    }
  };
  std::fill(out, out + count, far);
  scan(0, count, 1);
  scan(count - 1, -1, -1);
}

struct Range {
  std::size_t begin, end;
};

// The first and last entry that differ from `value`, and what is between.
Range range_without(const std::uint16_t* row, std::size_t count, std::uint16_t value) {
  std::size_t begin = 0;
  while (begin < count && row[begin] == value) ++begin;
  std::size_t end = count;
  while (end > begin && row[end - 1] == value) --end;
  return {begin, end};
}

struct Lines {
  std::size_t base, stride, count;  // of the rows' first entries
  std::size_t row;                  // entries of a row
};

// out(line) = min over |e| <= reach of in(line + e) + e^2, on whole rows at a time. Entries that
// are 0 already, or `far` in the other line, are passed over: most of a volume is empty.
void widen(const Squared& in, Squared& out, const Lines& lines, int reach, std::uint16_t far) {
  std::vector<Range> near(lines.count);
  for (std::size_t line = 0; line < lines.count; ++line) {
    near[line] = range_without(&in[lines.base + line * lines.stride], lines.row, far);
  }
  for (std::size_t line = 0; line < lines.count; ++line) {
    const std::size_t at = lines.base + line * lines.stride;
    std::uint16_t* to = &out[at];
    std::copy_n(&in[at], lines.row, to);
    const Range open = range_without(to, lines.row, 0);
    for (int e = -reach; e <= reach; ++e) {
      const auto other = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(line) + e);
      if (e == 0 || other >= lines.count) continue;  // wraps around below 0
      const std::uint16_t* from = &in[lines.base + other * lines.stride];
      const auto add = static_cast<std::uint16_t>(e * e);
      const std::size_t end = std::min(open.end, near[other].end);
      for (std::size_t i = std::max(open.begin, near[other].begin); i < end; ++i) {
        to[i] = std::min(to[i], static_cast<std::uint16_t>(from[i] + add));
      }
    }
  }
}

// Voxels within `radius` of one whose mask is `value`.
Mask within(const Mask& mask, const Index& size, std::uint8_t value, double radius) {
  SINEW_CHECK(radius >= 0 && radius <= 120, "the radius has to be from 0 to 120 voxels");
  const auto nx = static_cast<std::size_t>(size[0]);
  const auto ny = static_cast<std::size_t>(size[1]);
  const auto nz = static_cast<std::size_t>(size[2]);
  const int reach = static_cast<int>(std::floor(radius));
  const auto limit = static_cast<std::uint16_t>(std::floor(radius * radius));
  const auto far = static_cast<std::uint16_t>(3 * (reach + 1) * (reach + 1));
  Squared a(mask.size());
  Squared b(mask.size());
  parallel_for(nz, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      for (std::size_t j = 0; j < ny; ++j) {
        const std::size_t row = nx * (j + ny * k);
        scan_row(&mask[row], value, size[0], reach, far, &a[row]);
      }
      widen(a, b, {nx * ny * k, nx, ny, nx}, reach, far);
    }
  });
  parallel_for(ny, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) {
      widen(b, a, {nx * j, nx * ny, nz, nx}, reach, far);
    }
  });
  Mask near(mask.size());
  std::transform(a.begin(), a.end(), near.begin(),
                 [limit](std::uint16_t squared) -> std::uint8_t { return squared <= limit; });
  return near;
}

}  // namespace

Mask dilate(const Mask& mask, const Index& size, double radius) {
  return within(mask, size, 1, radius);
}

Mask erode(const Mask& mask, const Index& size, double radius) {
  Mask kept = within(mask, size, 0, radius);
  for (std::uint8_t& voxel : kept) voxel = voxel == 0;
  return kept;
}

}  // namespace sinew::volume
