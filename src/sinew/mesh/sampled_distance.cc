#include "sinew/mesh/sampled_distance.h"

#include <algorithm>
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

Place find_place(const Sampled& shape, const Vec3d& x) {
  const volume::Grid& grid = shape.field->grid;
  const Vec3d wanted = shape.to_index * (x - grid.origin);
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

struct Edge {
  double value, slope;  // at the point's place along it, and per voxel
};

}  // namespace

DistanceSample sample(const Sampled& shape, const Vec3d& x) {
  const volume::Grid& grid = shape.field->grid;
  const Place place = find_place(shape, x);
  const std::size_t row = static_cast<std::size_t>(grid.size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(grid.size[1]);
  const float* f = shape.field->voxels.data() + place.corner;
  // Along x first: the values and slopes of the cell's four edges, then of its faces.
  const auto edge = [&](std::size_t at) {
    return Edge{f[at] + place.part.x * (static_cast<double>(f[at + 1]) - f[at]),
                static_cast<double>(f[at + 1]) - f[at]};
  };
  const auto mix = [](double a, double b, double part) { return a + part * (b - a); };
  const Edge e00 = edge(0), e10 = edge(row), e01 = edge(slice), e11 = edge(slice + row);
  const double low = mix(e00.value, e10.value, place.part.y);
  const double high = mix(e01.value, e11.value, place.part.y);
  const double value = mix(low, high, place.part.z);
  const Vec3d slope{mix(mix(e00.slope, e10.slope, place.part.y),
                        mix(e01.slope, e11.slope, place.part.y), place.part.z),
                    mix(e10.value - e00.value, e11.value - e01.value, place.part.z), high - low};
  if (place.beyond > 0) return {value + place.beyond, place.out};
  const Vec3d gradient = transpose(shape.to_index) * slope;
  const double size = norm(gradient);
  return {value, size > 0 ? gradient / size : Vec3d{0, 1, 0}};
}

double sample_value(const Sampled& shape, const Vec3d& x) {
  const volume::Grid& grid = shape.field->grid;
  const Place place = find_place(shape, x);
  const std::size_t row = static_cast<std::size_t>(grid.size[0]);
  const std::size_t slice = row * static_cast<std::size_t>(grid.size[1]);
  const float* f = shape.field->voxels.data() + place.corner;
  const auto edge = [&](std::size_t at) {
    return f[at] + place.part.x * (static_cast<double>(f[at + 1]) - f[at]);
  };
  const auto mix = [](double a, double b, double part) { return a + part * (b - a); };
  return mix(mix(edge(0), edge(row), place.part.y),
             mix(edge(slice), edge(slice + row), place.part.y), place.part.z) +
         place.beyond;
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
