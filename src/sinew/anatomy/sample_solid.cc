#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/anatomy/cut_cells.h"
#include "sinew/anatomy/flow_solid.h"
#include "sinew/core/parallel.h"
#include "sinew/core/to_float.h"

namespace sinew::anatomy {
namespace {

constexpr std::int32_t kStride = 2;                       // voxels from place to place
constexpr double kFarthest = 2e-3;                        // m, of the closest point
constexpr double kLeastCosine = std::numbers::sqrt2 / 2;  // between solid and flow

using volume::Index;

volume::Grid coarse_grid(const volume::Grid& grid) {
  volume::Grid coarse = grid;
  for (std::size_t a = 0; a < 3; ++a) coarse.size[a] = grid.size[a] / kStride + 1;
  coarse.axes = grid.axes * static_cast<double>(kStride);
  return coarse;
}

struct Place {
  std::uint32_t node;
  Vec3d x;
  double distance;  // m, from the muscle; negative inside
};

// Nodes of the coarse grid that interpolation inside the muscle may ask: those with an inside
// voxel nearer than two voxels.
std::vector<Place> find_places(const FiberFlow& flow, const volume::Grid& coarse) {
  const volume::Grid& grid = flow.distance.grid;
  std::vector<std::uint8_t> wanted(volume::num_voxels(coarse));
  for (std::size_t v = 0; v < flow.distance.voxels.size(); ++v) {
    if (!(flow.distance.voxels[v] < 0)) continue;
    const Index at = volume::index_at(grid, v);
    for (int n = 0; n < 8; ++n) {
      const Index node = {(at[0] + (n & 1)) / kStride, (at[1] + ((n >> 1) & 1)) / kStride,
                          (at[2] + (n >> 2)) / kStride};
      wanted[volume::offset_of(coarse, node)] = 1;
    }
  }
  std::vector<Place> places;
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    if (wanted[c] == 0) continue;
    Index at = volume::index_at(coarse, c);
    const Vec3d x = volume::position_of(coarse, at);
    for (std::size_t a = 0; a < 3; ++a) at[a] = std::min(at[a] * kStride, grid.size[a] - 1);
    places.push_back({static_cast<std::uint32_t>(c), x,
                      static_cast<double>(flow.distance.voxels[volume::offset_of(grid, at)])});
  }
  return places;
}

struct Found {
  Vec3d direction;  // of the solid; zero where it is folded
  double residual = 0, cosine = 0;
  bool keeps = false;  // the solid's direction
};

Found ask_solid(const SolidInverse& inverse, const Place& place, const Vec3d& flow) {
  Found found;
  const SolidPoint point = inverse.find(place.x);
  found.residual = point.distance;
  const Mat3d J = evaluate_with_jacobian(inverse.solid(), point.uvw).jacobian;
  if (!(determinant(J) > 0)) return found;
  found.direction = normalized(J.col(2));
  found.cosine = dot(found.direction, flow);
  found.keeps =
      found.residual <= kFarthest + std::max(place.distance, 0.0) && found.cosine >= kLeastCosine;
  return found;
}

void fill_report(const std::vector<Place>& places, const std::vector<Found>& found,
                 SolidDirections& result) {
  std::vector<double> residuals;
  double folded = 0;
  double kept = 0;
  double angles = 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    if (!(places[n].distance < 0)) continue;
    residuals.push_back(found[n].residual);
    if (dot(found[n].direction, found[n].direction) == 0) ++folded;
    if (!found[n].keeps) continue;
    ++kept;
    angles += std::acos(std::min(found[n].cosine, 1.0));
  }
  const auto count = static_cast<double>(residuals.size());
  if (residuals.empty()) return;
  std::sort(residuals.begin(), residuals.end());
  result.fell_back = 1 - kept / count;
  result.folded = folded / count;
  result.residual_p90 = residuals[residuals.size() * 9 / 10];
  result.mean_angle = kept > 0 ? angles / kept : 0;
}

}  // namespace

SolidDirections sample_solid(const BsplineSolid& solid, const FiberFlow& flow,
                             const FiberField& flow_field) {
  const SolidInverse inverse(solid);
  const volume::Grid coarse = coarse_grid(flow.distance.grid);
  const std::vector<Place> places = find_places(flow, coarse);
  std::vector<Found> found(places.size());
  SolidDirections result;
  result.directions = {coarse, std::vector<Vec3f>(volume::num_voxels(coarse))};
  parallel_for(places.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const Vec3d along = flow_field(places[n].x);
      found[n] = ask_solid(inverse, places[n], along);
      result.directions.voxels[places[n].node] =
          to_float(found[n].keeps ? found[n].direction : along);
    }
  });
  fill_report(places, found, result);
  return result;
}

}  // namespace sinew::anatomy
