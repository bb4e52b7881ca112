#include "sinew/mesh/sampled_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew::mesh {
namespace {

// Where a point is among the samples: the lower corner of its cell and the parts along its edges.
struct Place {
  std::size_t corner;
  Vec3d part;     // in [0, 1]
  double beyond;  // m, distance from the grid's box
  Vec3d out;      // unit, away from the box, where beyond > 0
};

Place find_place(const volume::Grid& grid, const Vec3d& x) {
  const Vec3d wanted = volume::index_of(grid, x);
  Vec3d inside;
  volume::Index cell;
  Place place{};
  for (std::size_t a = 0; a < 3; ++a) {
    inside[a] = std::clamp(wanted[a], 0.0, grid.size[a] - 1.0);
    cell[a] = std::min(static_cast<std::int32_t>(inside[a]), grid.size[a] - 2);
    place.part[a] = inside[a] - cell[a];
  }
  place.corner = volume::offset_of(grid, cell);
  const Vec3d out = grid.axes * (wanted - inside);
  place.beyond = norm(out);
  if (place.beyond > 0) place.out = out / place.beyond;
  return place;
}

}  // namespace

DistanceSample sample(const Sampled& shape, const Vec3d& x) {
  const volume::Grid& grid = shape.field->grid;
  const Place place = find_place(grid, x);
  const std::size_t row = static_cast<std::size_t>(grid.size[0]);
  const std::array<std::size_t, 3> step = {1, row, row * static_cast<std::size_t>(grid.size[1])};
  double value = 0;
  Vec3d slope{0, 0, 0};  // by index
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::size_t at = place.corner;
    Vec3d weight, sign;
    for (std::size_t a = 0; a < 3; ++a) {
      const bool upper = ((corner >> a) & 1U) != 0;
      at += upper ? step[a] : 0;
      weight[a] = upper ? place.part[a] : 1 - place.part[a];
      sign[a] = upper ? 1 : -1;
    }
    const double f = shape.field->voxels[at];
    value += f * weight.x * weight.y * weight.z;
    slope += f * Vec3d{sign.x * weight.y * weight.z, weight.x * sign.y * weight.z,
                       weight.x * weight.y * sign.z};
  }
  if (place.beyond > 0) return {value + place.beyond, place.out};
  const Vec3d gradient = transpose(inverse(grid.axes)) * slope;
  const double size = norm(gradient);
  return {value, size > 0 ? gradient / size : Vec3d{0, 1, 0}};
}

Bounds compute_bounds(const Sampled& shape) {
  const volume::Grid& grid = shape.field->grid;
  volume::Index low = grid.size;
  volume::Index high = {-1, -1, -1};
  for (std::size_t v = 0; v < shape.field->voxels.size(); ++v) {
    if (shape.field->voxels[v] > 0) continue;
    const volume::Index index = volume::index_at(grid, v);
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], index[a]);
      high[a] = std::max(high[a], index[a]);
    }
  }
  if (high[0] < 0) return {grid.origin, grid.origin};
  std::vector<Vec3d> corners;
  for (unsigned corner = 0; corner < 8; ++corner) {
    volume::Index index;
    for (std::size_t a = 0; a < 3; ++a) {
      index[a] = ((corner >> a) & 1U) != 0 ? high[a] + 1 : low[a] - 1;
    }
    corners.push_back(volume::position_of(grid, index));
  }
  return compute_bounds(corners);
}

}  // namespace sinew::mesh
