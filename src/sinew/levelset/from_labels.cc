#include "sinew/levelset/from_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/nearest_voxel.h"
#include "sinew/levelset/smooth.h"
#include "sinew/levelset/volume_offset.h"

namespace sinew::levelset {
namespace {

using volume::Index;

constexpr std::int32_t kPad = 3;    // voxels of outside around the labels
constexpr double kSmoothing = 0.8;  // of the finest spacing, standard deviation
constexpr double kFar = 6;          // finest spacings from the surface: nothing to smooth
// Finest spacings, or two of the coarsest: beyond, only the side of a voxel counts.
constexpr double kKnown = 12;
// How far inside a marked centre stays, in the finest spacing: least, and where two voxels are all.
constexpr double kKeep = 0.05, kKeepThin = 0.4;

// A part of the volume, on the volume's own axes.
struct Block {
  volume::Grid grid;
  Vec3d spacing;                     // m
  std::vector<std::uint8_t> inside;  // (num_voxels)
  std::vector<float> distances;      // (num_voxels) m, within kKnown of the surface
};

// A voxel that is near enough to the surface to be smoothed.
struct Near {
  std::size_t voxel;
  Index at;
};

IndexBox find_labels(const volume::LabelVolume& volume, const std::vector<std::uint8_t>& wanted) {
  IndexBox box;
  const auto row = static_cast<std::size_t>(volume.grid.size[0]);
  for (std::size_t begin = 0; begin < volume.voxels.size(); begin += row) {
    std::size_t first = 0, last = row;
    while (first < row && wanted[volume.voxels[begin + first]] == 0) ++first;
    if (first == row) continue;
    while (wanted[volume.voxels[begin + last - 1]] == 0) --last;
    box = unite(box, {volume::index_at(volume.grid, begin + first),
                      volume::index_at(volume.grid, begin + last - 1)});
  }
  return box;
}

Block cut_block(const volume::LabelVolume& volume, const std::vector<std::uint8_t>& wanted,
                const IndexBox& box) {
  Block block;
  block.grid.axes = volume.grid.axes;
  block.grid.origin = volume::position_of(volume.grid, box.low);
  for (std::size_t a = 0; a < 3; ++a) {
    block.grid.size[a] = box.high[a] - box.low[a] + 1;
    block.spacing[a] = norm(volume.grid.axes.col(a));
  }
  block.inside.resize(num_voxels(block.grid), 0);
  const IndexBox known = intersect(
      box,
      {{0, 0, 0}, {volume.grid.size[0] - 1, volume.grid.size[1] - 1, volume.grid.size[2] - 1}});
  for (std::int32_t k = known.low[2]; k <= known.high[2]; ++k) {
    for (std::int32_t j = known.low[1]; j <= known.high[1]; ++j) {
      const std::size_t from = volume::offset_of(volume.grid, {known.low[0], j, k});
      const std::size_t to = volume::offset_of(
          block.grid, {known.low[0] - box.low[0], j - box.low[1], k - box.low[2]});
      const auto length = static_cast<std::size_t>(known.high[0] - known.low[0]) + 1;
      for (std::size_t i = 0; i < length; ++i) {
        block.inside[to + i] = wanted[volume.voxels[from + i]];
      }
    }
  }
  return block;
}

double finest(const Block& block) {
  return std::min({block.spacing.x, block.spacing.y, block.spacing.z});
}

double coarsest(const Block& block) {
  return std::max({block.spacing.x, block.spacing.y, block.spacing.z});
}

// Distance to the nearest centre of the other kind, less half a step: the surface lies midway.
void add_distances(Block& block, bool inside) {
  std::vector<std::uint8_t> others(block.inside.size());
  for (std::size_t n = 0; n < others.size(); ++n) {
    others[n] = (block.inside[n] != 0) != inside ? 1 : 0;
  }
  const double reach = std::max(kKnown * finest(block), 2 * coarsest(block));
  const std::vector<std::uint32_t> nearest =
      find_nearest(block.grid.size, block.spacing, others, reach);
  for (std::size_t n = 0; n < others.size(); ++n) {
    if (others[n] != 0) continue;
    double distance = reach;
    if (nearest[n] != kNoVoxel) {
      const Index at = volume::index_at(block.grid, n);
      const Index to = volume::index_at(block.grid, nearest[n]);
      double squares = 0;
      int steps = 1;
      for (std::size_t a = 0; a < 3; ++a) {
        steps = std::max(steps, std::abs(to[a] - at[a]));
        const double run = block.spacing[a] * (to[a] - at[a]);
        squares += run * run;
      }
      distance = std::sqrt(squares) * (1 - 0.5 / steps);
    }
    block.distances[n] = static_cast<float>(inside ? -distance : distance);
  }
}

std::vector<Near> find_near(const Block& block) {
  std::vector<Near> near;
  const auto far = static_cast<float>(kFar * finest(block));
  for (std::size_t n = 0; n < block.distances.size(); ++n) {
    if (std::abs(block.distances[n]) > far) continue;
    near.push_back({n, volume::index_at(block.grid, n)});
  }
  return near;
}

// One pass along an axis with the weights of a Gaussian; the rim is repeated.
void blur_axis(const std::vector<Near>& near, std::size_t axis, Block& block) {
  const double sigma = kSmoothing * finest(block) / block.spacing[axis];
  std::array<double, 3> w{1, std::exp(-0.5 / (sigma * sigma)), std::exp(-2 / (sigma * sigma))};
  const double sum = w[0] + 2 * (w[1] + w[2]);
  for (double& v : w) v /= sum;
  const std::vector<float>& old = block.distances;
  std::vector<float> blurred(near.size());
  const auto size = static_cast<std::size_t>(block.grid.size[axis]);
  std::size_t step = 1;
  for (std::size_t a = 0; a < axis; ++a) step *= static_cast<std::size_t>(block.grid.size[a]);
  const auto far = static_cast<float>(kFar * finest(block));
  for (std::size_t b = 0; b < near.size(); ++b) {
    const std::size_t n = near[b].voxel;
    blurred[b] = old[n];
    if (std::abs(old[n]) > far) continue;  // no surface near that could be rough
    const auto at = static_cast<std::size_t>(near[b].at[axis]);
    const auto before = [&](std::size_t steps) { return old[n - std::min(at, steps) * step]; };
    const auto after = [&](std::size_t steps) {
      return old[n + std::min(size - 1 - at, steps) * step];
    };
    blurred[b] = static_cast<float>(w[0] * old[n] + w[1] * (before(1) + after(1)) +
                                    w[2] * (before(2) + after(2)));
  }
  for (std::size_t b = 0; b < near.size(); ++b) block.distances[near[b].voxel] = blurred[b];
}

// How far each voxel must stay on its side (m): outside, and inside where it is thick, just so; the
// more, the less deep the deepest neighbour is, for a smoothed tendon would wither.
std::vector<float> find_keep(const Block& block, const std::vector<Near>& near) {
  const double unit = finest(block);
  std::vector<float> keep(near.size(), static_cast<float>(kKeep * unit));
  for (std::size_t b = 0; b < near.size(); ++b) {
    const auto& [n, at] = near[b];
    if (block.inside[n] == 0 || block.distances[n] < -1.5 * unit) continue;
    float deepest = 0;
    for (int c = 0; c < 27; ++c) {  // the block is padded: no inside voxel lies at its rim
      const Index to{at[0] + c % 3 - 1, at[1] + c / 3 % 3 - 1, at[2] + c / 9 - 1};
      deepest = std::min(deepest, block.distances[volume::offset_of(block.grid, to)]);
    }
    const double thin = 0.5 * (1.5 + deepest / unit);
    keep[b] = static_cast<float>(std::clamp(thin, kKeep, kKeepThin) * unit);
  }
  return keep;
}

void take_off_stairs(Block& block) {
  const std::vector<Near> near = find_near(block);
  const std::vector<float> keep = find_keep(block, near);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t axis = 0; axis < 3; ++axis) blur_axis(near, axis, block);
    for (std::size_t b = 0; b < near.size(); ++b) {
      float& v = block.distances[near[b].voxel];
      v = block.inside[near[b].voxel] != 0 ? std::min(v, -keep[b]) : std::max(v, keep[b]);
    }
  }
}

mesh::Bounds bounds_of(const volume::Grid& grid) {
  std::vector<Vec3d> corners;
  corners.reserve(8);
  for (int c = 0; c < 8; ++c) {
    corners.push_back(volume::position_of(
        grid, Index{(c & 1) != 0 ? grid.size[0] - 1 : 0, (c & 2) != 0 ? grid.size[1] - 1 : 0,
                    (c & 4) != 0 ? grid.size[2] - 1 : 0}));
  }
  return mesh::compute_bounds(corners);
}

// Reads a block between its voxels.
class Sampler {
 public:
  // Distances count as far where no place within `reach` (m) can be on the other side.
  Sampler(const Block& block, double reach, double beyond)
      : block_(block),
        corners_(cell_corners(block.grid)),
        far_(static_cast<float>(norm(block.spacing) + reach)),
        beyond_(beyond) {}

  // Trilinear, at an index between voxels; far from the surface that of a voxel beside it.
  double operator()(const Vec3d& index) const {
    Index base{};
    Vec3d t;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!(index[a] >= 0 && index[a] <= block_.grid.size[a] - 1)) return beyond_;
      base[a] = std::min(static_cast<std::int32_t>(index[a]), block_.grid.size[a] - 2);
      t[a] = index[a] - base[a];
    }
    const float* v = &block_.distances[volume::offset_of(block_.grid, base)];
    if (std::abs(*v) > far_) return *v;
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c) {
      const double weight = ((c & 1) != 0 ? t.x : 1 - t.x) * ((c & 2) != 0 ? t.y : 1 - t.y) *
                            ((c & 4) != 0 ? t.z : 1 - t.z);
      sum += weight * static_cast<double>(v[corners_[c]]);
    }
    return sum;
  }

 private:
  const Block& block_;
  std::array<std::size_t, 8> corners_;
  float far_;
  double beyond_;
};

volume::Field resample(const Block& block, double voxel) {
  volume::Field field;
  field.grid = make_grid(grow(box_around(bounds_of(block.grid), voxel), 1), voxel);
  field.voxels.resize(num_voxels(field.grid));
  const Mat3d to_index = inverse(block.grid.axes);
  const Sampler sample(block, 4 * voxel, kBand * voxel);
  const auto length = static_cast<std::size_t>(field.grid.size[0]);
  const auto rows = static_cast<std::size_t>(field.grid.size[1]);
  parallel_for(field.voxels.size() / length, rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Index at{0, static_cast<std::int32_t>(row % rows), static_cast<std::int32_t>(row / rows)};
      float* out = &field.voxels[row * length];
      for (; at[0] < field.grid.size[0]; ++at[0], ++out) {
        const Vec3d place = volume::position_of(field.grid, at);
        *out = static_cast<float>(sample(to_index * (place - block.grid.origin)));
      }
    }
  });
  return field;
}

}  // namespace

LevelSet make_level_set(const volume::LabelVolume& volume, std::span<const std::uint16_t> labels,
                        double voxel, Finish finish) {
  std::vector<std::uint8_t> wanted(65536, 0);
  for (const std::uint16_t label : labels) wanted[label] = 1;
  const IndexBox box = find_labels(volume, wanted);
  if (is_empty(box)) return LevelSet(voxel);
  Block block = cut_block(volume, wanted, grow(box, kPad));
  block.distances.resize(block.inside.size());
  add_distances(block, true);
  add_distances(block, false);
  take_off_stairs(block);
  volume::Field resampled = resample(block, voxel);
  normalize_near_surface(resampled, 0.3);
  const auto count = std::count(block.inside.begin(), block.inside.end(), std::uint8_t{1});
  volume::Field field = match_volume(resampled, resampled, 0.5 * voxel, 0.5 * voxel,
                                     static_cast<double>(count) * voxel_volume(volume.grid));
  if (finish == Finish::kSmooth) {
    redistance_band(field, kBand * voxel);
    smooth(field);
  }
  redistance(field, kBand * voxel);
  return LevelSet(field);
}

}  // namespace sinew::levelset
