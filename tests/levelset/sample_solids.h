// Solids with known volumes and distances, as surfaces and as level sets, for the tests of
// levelset.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/level_set.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/mesh/shape.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::levelset {

inline LevelSet make_sampled(const mesh::Shape& shape, double voxel) {
  const IndexBox box = grow(box_around(mesh::compute_bounds(shape), voxel), kBand);
  volume::Field field;
  field.grid = make_grid(box, voxel);
  field.voxels.resize(num_voxels(field.grid));
  for (std::size_t n = 0; n < field.voxels.size(); ++n) {
    field.voxels[n] = static_cast<float>(mesh::signed_distance(
        shape, volume::position_of(field.grid, volume::index_at(field.grid, n))));
  }
  return LevelSet(field);
}

inline LevelSet make_ball(const Vec3d& center, double radius, double voxel) {
  return make_sampled({mesh::Sphere{center, radius}}, voxel);
}

inline double ball_volume(double radius) {
  return 4.18879020478639 * radius * radius * radius;
}

// 1 where `inside` holds at a voxel's centre.
inline volume::LabelVolume make_labels(const volume::Grid& grid,
                                       const std::function<bool(const Vec3d&)>& inside) {
  volume::LabelVolume labels;
  labels.grid = grid;
  labels.voxels.resize(num_voxels(grid));
  for (std::size_t n = 0; n < labels.voxels.size(); ++n) {
    labels.voxels[n] = inside(volume::position_of(grid, volume::index_at(grid, n))) ? 1 : 0;
  }
  return labels;
}

}  // namespace sinew::levelset
