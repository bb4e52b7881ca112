#include "sinew/anatomy/soft_tissue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>

#include "sinew/core/disjoint_sets.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::anatomy {
namespace {

// The smaller of two, rounded off where they differ by less than `blend`: never above it, and at
// most blend / 4 below.
double smooth_min(double a, double b, double blend) {
  if (blend <= 0) return std::min(a, b);
  const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
  return std::min(a, b) - 0.25 * h * h * blend;
}

volume::Grid make_grid(const std::vector<mesh::Shape>& inside, const SoftTissueSettings& settings) {
  mesh::Bounds box = mesh::compute_bounds(inside[0]);
  for (const mesh::Shape& shape : inside) {
    const mesh::Bounds other = mesh::compute_bounds(shape);
    for (std::size_t a = 0; a < 3; ++a) {
      box.low[a] = std::min(box.low[a], other.low[a]);
      box.high[a] = std::max(box.high[a], other.high[a]);
    }
  }
  const double margin = settings.thickness + 0.5 * settings.blend + 4 * settings.spacing;
  volume::Grid grid;
  grid.axes = Mat3d::identity() * settings.spacing;
  for (std::size_t a = 0; a < 3; ++a) {
    grid.origin[a] = box.low[a] - margin;
    const double extent = box.high[a] - box.low[a] + 2 * margin;
    grid.size[a] = static_cast<std::int32_t>(std::ceil(extent / settings.spacing)) + 1;
  }
  return grid;
}

}  // namespace

SoftTissue make_soft_tissue(const std::vector<mesh::Shape>& inside,
                            const SoftTissueSettings& settings) {
  SINEW_CHECK(!inside.empty() && settings.thickness > 0 && settings.spacing > 0,
              "a layer has something inside and a thickness");
  volume::Field layer;
  layer.grid = make_grid(inside, settings);
  layer.voxels.resize(volume::num_voxels(layer.grid));
  volume::Field skin = layer;
  parallel_for(layer.voxels.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3d x = volume::position_of(layer.grid, volume::index_at(layer.grid, v));
      double nearest = mesh::signed_distance(inside[0], x), blended = nearest;
      for (std::size_t i = 1; i < inside.size(); ++i) {
        const double distance = mesh::signed_distance(inside[i], x);
        nearest = std::min(nearest, distance);
        blended = smooth_min(blended, distance, settings.blend);
      }
      const double outer = blended - settings.thickness;  // equation (12)
      skin.voxels[v] = static_cast<float>(outer);
      layer.voxels[v] = static_cast<float>(std::max(outer, -nearest));
    }
  });
  const auto make_shape = [](volume::Field field) {
    return mesh::Shape{mesh::Sampled{std::make_shared<const volume::Field>(std::move(field))}};
  };
  return {make_shape(std::move(layer)), make_shape(std::move(skin))};
}

mesh::Surface extract_outer(const mesh::Surface& surface) {
  DisjointSets pieces(surface.positions.size());
  for (const auto& t : surface.triangles) pieces.join(t[0], t[1]), pieces.join(t[1], t[2]);
  std::map<std::size_t, double> volumes;
  for (const auto& t : surface.triangles) {
    const auto& x = surface.positions;
    volumes[pieces.find(t[0])] += dot(x[t[0]], cross(x[t[1]], x[t[2]])) / 6;
  }
  mesh::Surface outer;
  std::vector<std::uint32_t> place(surface.positions.size(), UINT32_MAX);
  for (const auto& t : surface.triangles) {
    if (volumes[pieces.find(t[0])] <= 0) continue;
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint32_t& at = place[t[c]];
      if (at == UINT32_MAX) {
        at = static_cast<std::uint32_t>(outer.positions.size());
        outer.positions.push_back(surface.positions[t[c]]);
      }
      triangle[c] = at;
    }
    outer.triangles.push_back(triangle);
  }
  return outer;
}

}  // namespace sinew::anatomy
