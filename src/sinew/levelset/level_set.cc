#include "sinew/levelset/level_set.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/levelset/components.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/openvdb_grids.h"

namespace sinew::levelset {
namespace {

IndexBox find_inside(const volume::Field& field) {
  const IndexBox box = box_of(field.grid);
  IndexBox inside;
  std::size_t offset = 0;
  for (std::int32_t k = box.low[2]; k <= box.high[2]; ++k) {
    for (std::int32_t j = box.low[1]; j <= box.high[1]; ++j) {
      const float* row = &field.voxels[offset];
      offset += static_cast<std::size_t>(field.grid.size[0]);
      const float* end = row + field.grid.size[0];
      const auto is_inside = [](float v) { return v < 0; };
      const float* first = std::find_if(row, end, is_inside);
      if (first == end) continue;
      const float* last = end - 1;
      while (!is_inside(*last)) --last;
      inside = unite(inside, {{box.low[0] + static_cast<std::int32_t>(first - row), j, k},
                              {box.low[0] + static_cast<std::int32_t>(last - row), j, k}});
    }
  }
  return inside;
}

}  // namespace

struct LevelSet::Storage {
  explicit Storage(float bound) : tree(bound) {}
  openvdb::FloatTree tree;
};

LevelSet::LevelSet(double voxel) : voxel_(voxel) {
  SINEW_CHECK(voxel > 0, "a level set needs a positive voxel");
  storage_ = std::make_shared<Storage>(static_cast<float>(kBand * voxel));
}

LevelSet::LevelSet(const volume::Field& distances) : LevelSet(spacing_of(distances.grid)) {
  inside_ = find_inside(distances);
  if (is_empty()) return;
  const IndexBox box = box_of(distances.grid);
  const IndexBox ring = grow(inside_, 1);
  SINEW_CHECK(intersect(ring, box).low == ring.low && intersect(ring, box).high == ring.high,
              "a level set needs a voxel of outside around it");
  const auto bound = static_cast<float>(kBand * voxel_);
  std::vector<float> values(distances.voxels.size());
  std::transform(distances.voxels.begin(), distances.voxels.end(), values.begin(),
                 [bound](float v) { return std::min(v, bound); });
  auto storage = std::make_shared<Storage>(bound);
  const DenseView dense(to_openvdb(box), values.data());
  openvdb::tools::copyFromDense(dense, storage->tree, 0.0F);
  storage_ = std::move(storage);
}

bool LevelSet::is_empty() const {
  return levelset::is_empty(inside_);
}

mesh::Bounds LevelSet::bounds() const {
  SINEW_CHECK(!is_empty(), "bounds of an empty level set");
  mesh::Bounds bounds;
  for (std::size_t a = 0; a < 3; ++a) {
    bounds.low[a] = (inside_.low[a] - 0.5) * voxel_;
    bounds.high[a] = (inside_.high[a] + 0.5) * voxel_;
  }
  return bounds;
}

double LevelSet::value(const Vec3d& point) const {
  openvdb::Coord base;
  Vec3d t;
  for (std::size_t a = 0; a < 3; ++a) {
    const double x = std::clamp(point[a] / voxel_, -1e9, 1e9);
    base[static_cast<int>(a)] = static_cast<std::int32_t>(std::floor(x));
    t[a] = x - std::floor(x);
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int dx = corner & 1, dy = (corner >> 1) & 1, dz = corner >> 2;
    const double weight =
        (dx != 0 ? t.x : 1 - t.x) * (dy != 0 ? t.y : 1 - t.y) * (dz != 0 ? t.z : 1 - t.z);
    sum += weight * static_cast<double>(storage_->tree.getValue(base.offsetBy(dx, dy, dz)));
  }
  return sum;
}

double LevelSet::volume() const {
  return is_empty() ? 0.0 : compute_volume(crop(grow(inside_, 1)));
}

std::size_t LevelSet::count_components() const {
  return is_empty() ? 0 : find_components(crop(inside_)).sizes.size();
}

volume::Field LevelSet::crop(const IndexBox& box) const {
  volume::Field field;
  field.grid = make_grid(box, voxel_);
  field.voxels.resize(num_voxels(field.grid));
  DenseView dense(to_openvdb(box), field.voxels.data());
  openvdb::tools::copyToDense(storage_->tree, dense);
  return field;
}

std::shared_ptr<const volume::Field> LevelSet::sample(int margin) const {
  SINEW_CHECK(!is_empty() && margin >= 1, "sample needs a solid and a margin of a voxel");
  auto field = std::make_shared<volume::Field>(crop(grow(inside_, margin)));
  if (margin > kBand) extend_outside(*field, kBand * voxel_, margin * voxel_);
  return field;
}

IndexBox grow(const IndexBox& box, int voxels) {
  IndexBox grown = box;
  for (std::size_t a = 0; a < 3; ++a) grown.low[a] -= voxels, grown.high[a] += voxels;
  return grown;
}

IndexBox intersect(const IndexBox& a, const IndexBox& b) {
  IndexBox both;
  for (std::size_t d = 0; d < 3; ++d) {
    both.low[d] = std::max(a.low[d], b.low[d]);
    both.high[d] = std::min(a.high[d], b.high[d]);
  }
  return both;
}

IndexBox unite(const IndexBox& a, const IndexBox& b) {
  if (is_empty(a)) return b;
  if (is_empty(b)) return a;
  IndexBox all;
  for (std::size_t d = 0; d < 3; ++d) {
    all.low[d] = std::min(a.low[d], b.low[d]);
    all.high[d] = std::max(a.high[d], b.high[d]);
  }
  return all;
}

bool is_empty(const IndexBox& box) {
  return box.low[0] > box.high[0] || box.low[1] > box.high[1] || box.low[2] > box.high[2];
}

IndexBox box_around(const mesh::Bounds& bounds, double voxel) {
  IndexBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = static_cast<std::int32_t>(std::ceil(bounds.low[a] / voxel)) - 1;
    box.high[a] = static_cast<std::int32_t>(std::floor(bounds.high[a] / voxel)) + 1;
  }
  return box;
}

volume::Grid make_grid(const IndexBox& box, double voxel) {
  volume::Grid grid;
  for (std::size_t a = 0; a < 3; ++a) {
    grid.size[a] = std::max(0, box.high[a] - box.low[a] + 1);
    grid.origin[a] = box.low[a] * voxel;
  }
  grid.axes = Mat3d::diagonal({voxel, voxel, voxel});
  return grid;
}

IndexBox box_of(const volume::Grid& grid) {
  const double voxel = spacing_of(grid);
  IndexBox box;
  for (std::size_t a = 0; a < 3; ++a) {
    const double index = grid.origin[a] / voxel;
    SINEW_CHECK(std::abs(index - std::round(index)) < 1e-3, "the grid is not on the lattice");
    box.low[a] = static_cast<std::int32_t>(std::lround(index));
    box.high[a] = box.low[a] + grid.size[a] - 1;
  }
  return box;
}

}  // namespace sinew::levelset
