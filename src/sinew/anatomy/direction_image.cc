#include "sinew/anatomy/direction_image.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sinew/anatomy/fill_directions.h"

namespace sinew::anatomy {
namespace {

constexpr std::int32_t kBrick = 4;  // voxels along an edge of a brick
constexpr std::size_t kBrickSize = 64;

using volume::Index;

// Bricks of voxels where there are directions, and the mean direction of every brick of the box.
struct Bricks {
  volume::Grid grid;
  volume::Image<std::int32_t> table;  // of bricks: number of the stored brick, -1 where none
  volume::Image<Vec3f> means;         // of bricks
  std::vector<Vec3f> voxels;          // (num_stored x 64)
  Mat3d to_index;                     // inverse of the grid's axes

  Vec3f at(const Index& voxel) const {
    const Index brick = {voxel[0] / kBrick, voxel[1] / kBrick, voxel[2] / kBrick};
    const std::int32_t stored = table.voxels[volume::offset_of(table.grid, brick)];
    if (stored < 0) return {};
    const auto within = [&](std::size_t a) { return static_cast<std::size_t>(voxel[a] % kBrick); };
    const std::size_t n = within(0) + kBrick * (within(1) + kBrick * within(2));
    return voxels[static_cast<std::size_t>(stored) * kBrickSize + n];
  }
};

volume::Grid brick_grid(const volume::Grid& grid) {
  volume::Grid bricks;
  for (std::size_t a = 0; a < 3; ++a) bricks.size[a] = (grid.size[a] + kBrick - 1) / kBrick;
  const double middle = (kBrick - 1) / 2.0;
  bricks.origin = volume::position_of(grid, Vec3d{middle, middle, middle});
  bricks.axes = grid.axes * static_cast<double>(kBrick);
  return bricks;
}

// Copies a brick's voxels; false where none has a direction.
bool copy_brick(const volume::Image<Vec3f>& from, const Index& brick, Vec3f* to, Vec3f& sum) {
  bool any = false;
  for (std::size_t n = 0; n < kBrickSize; ++n) {
    const auto m = static_cast<std::int32_t>(n);
    const Index at = {brick[0] * kBrick + m % kBrick, brick[1] * kBrick + m / kBrick % kBrick,
                      brick[2] * kBrick + m / (kBrick * kBrick)};
    to[n] =
        volume::contains(from.grid, at) ? from.voxels[volume::offset_of(from.grid, at)] : Vec3f{};
    any = any || dot(to[n], to[n]) > 0;
    sum += to[n];
  }
  return any;
}

std::shared_ptr<const Bricks> make_bricks(const volume::Image<Vec3f>& directions) {
  auto bricks = std::make_shared<Bricks>();
  bricks->grid = directions.grid;
  bricks->to_index = inverse(directions.grid.axes);
  const volume::Grid coarse = brick_grid(directions.grid);
  const std::size_t count = volume::num_voxels(coarse);
  bricks->table = {coarse, std::vector<std::int32_t>(count, -1)};
  bricks->means = {coarse, std::vector<Vec3f>(count)};
  std::vector<std::uint32_t> all(count);
  std::vector<Vec3f> voxels(kBrickSize);
  std::int32_t stored = 0;
  Vec3f total;
  for (std::size_t b = 0; b < count; ++b) {
    all[b] = static_cast<std::uint32_t>(b);
    Vec3f sum;
    if (!copy_brick(directions, volume::index_at(coarse, b), voxels.data(), sum)) continue;
    bricks->table.voxels[b] = stored++;
    bricks->voxels.insert(bricks->voxels.end(), voxels.begin(), voxels.end());
    if (norm(sum) > 0) bricks->means.voxels[b] = normalized(sum);
    total += sum;
  }
  const Vec3f otherwise = norm(total) > 0 ? normalized(total) : Vec3f{0, 0, 1};
  fill_directions(all, 0, otherwise, bricks->means);
  return bricks;
}

Vec3d widen(const Vec3f& v) {
  return {v.x, v.y, v.z};
}

// Trilinear over the voxels that have a direction; where they cancel, the nearest one; where none
// has one, the mean of the brick.
Vec3d sample(const Bricks& bricks, const Vec3d& x) {
  Vec3d at = bricks.to_index * (x - bricks.grid.origin);
  Index low{};
  Vec3d part;
  for (std::size_t a = 0; a < 3; ++a) {
    const double last = bricks.grid.size[a] - 1;
    at[a] = at[a] > 0 ? std::min(at[a], last) : 0;  // a place that is no number goes to zero
    low[a] = std::min(static_cast<std::int32_t>(at[a]), std::max(bricks.grid.size[a] - 2, 0));
    part[a] = at[a] - low[a];
  }
  Vec3d sum;
  Vec3d nearest;
  double most = -1;
  for (std::int32_t n = 0; n < 8; ++n) {
    const Index step = {n & 1, (n >> 1) & 1, n >> 2};
    Index voxel{};
    double weight = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      voxel[a] = std::min(low[a] + step[a], bricks.grid.size[a] - 1);
      weight *= step[a] == 1 ? part[a] : 1 - part[a];
    }
    const Vec3d direction = widen(bricks.at(voxel));
    sum += direction * weight;
    if (weight > most && dot(direction, direction) > 0) nearest = direction, most = weight;
  }
  if (norm(sum) > 0.05) return normalized(sum);
  if (most >= 0) return normalized(nearest);
  const Index brick = {low[0] / kBrick, low[1] / kBrick, low[2] / kBrick};
  return normalized(widen(bricks.means.voxels[volume::offset_of(bricks.means.grid, brick)]));
}

}  // namespace

FiberField make_image_fibers(const volume::Image<Vec3f>& directions) {
  return [bricks = make_bricks(directions)](const Vec3d& x) { return sample(*bricks, x); };
}

}  // namespace sinew::anatomy
