#include "sinew/volume/distance_transform.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::volume {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

// Room for one line, kept from line to line.
struct Line {
  std::vector<float> heights, values;
  std::vector<std::size_t> vertex;  // of the parabolas of the envelope
  std::vector<double> from;         // where each begins to be the lowest
};

// line.values[q] = min over p of heights[p] + (step (q - p))^2; false where all are infinite.
bool lower_envelope(Line& line, double step) {
  const std::vector<float>& height = line.heights;
  const double step2 = step * step;
  std::size_t count = 0;
  for (std::size_t q = 0; q < height.size(); ++q) {
    if (height[q] == kFar) continue;
    const auto x = static_cast<double>(q);
    double start = -std::numeric_limits<double>::infinity();
    while (count > 0) {
      const std::size_t p = line.vertex[count - 1];
      const auto xp = static_cast<double>(p);
      start = ((static_cast<double>(height[q]) - static_cast<double>(height[p])) / step2 + x * x -
               xp * xp) /
              (2 * (x - xp));
      if (start > line.from[count - 1]) break;
      --count;
      start = -std::numeric_limits<double>::infinity();
    }
    line.vertex[count] = q;
    line.from[count] = start;
    ++count;
  }
  if (count == 0) return false;
  for (std::size_t q = 0, at = 0; q < height.size(); ++q) {
    while (at + 1 < count && line.from[at + 1] < static_cast<double>(q)) ++at;
    const double gap = static_cast<double>(q) - static_cast<double>(line.vertex[at]);
    line.values[q] = static_cast<float>(gap * gap * step2) + height[line.vertex[at]];
  }
  return true;
}

void transform_axis(std::vector<float>& squared, const Index& size, std::size_t axis, double step) {
  const auto count = static_cast<std::size_t>(size[axis]);
  if (count == 1) return;
  std::size_t stride = 1;
  for (std::size_t a = 0; a < axis; ++a) stride *= static_cast<std::size_t>(size[a]);
  constexpr std::size_t kLinesAtOnce = 1024;
  parallel_for(squared.size() / count, kLinesAtOnce, [&](std::size_t begin, std::size_t end) {
    Line line{std::vector<float>(count), std::vector<float>(count), std::vector<std::size_t>(count),
              std::vector<double>(count)};
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t first = n / stride * stride * count + n % stride;
      for (std::size_t q = 0; q < count; ++q) line.heights[q] = squared[first + q * stride];
      if (!lower_envelope(line, step)) continue;
      for (std::size_t q = 0; q < count; ++q) squared[first + q * stride] = line.values[q];
    }
  });
}

}  // namespace

std::vector<float> compute_distances(const std::vector<std::uint8_t>& mask, const Index& size,
                                     const Vec3d& spacing) {
  SINEW_CHECK(mask.size() == num_voxels(Grid{size, {}, {}}), "a mask value a voxel is needed");
  std::vector<float> distances(mask.size());
  std::transform(mask.begin(), mask.end(), distances.begin(),
                 [](std::uint8_t inside) { return inside != 0 ? 0.0F : kFar; });
  for (std::size_t axis = 0; axis < 3; ++axis) {
    transform_axis(distances, size, axis, spacing[axis]);
  }
  for (float& d : distances) d = std::sqrt(d);
  return distances;
}

std::vector<float> compute_signed_distances(const std::vector<std::uint8_t>& mask,
                                            const Index& size, const Vec3d& spacing) {
  std::vector<float> outside = compute_distances(mask, size, spacing);
  std::vector<std::uint8_t> rest(mask.size());
  std::transform(mask.begin(), mask.end(), rest.begin(),
                 [](std::uint8_t inside) -> std::uint8_t { return inside == 0; });
  const std::vector<float> inside = compute_distances(rest, size, spacing);
  for (std::size_t n = 0; n < mask.size(); ++n) {
    if (mask[n] != 0) outside[n] = -inside[n];
  }
  return outside;
}

}  // namespace sinew::volume
