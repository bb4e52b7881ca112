#include "sinew/anatomy/tendon.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/tendon_growth.h"

namespace sinew::anatomy {
namespace {

constexpr double kLayer = 0.001;  // m, of tendon under a patch; a voxel where that is more

double largest_spacing(const volume::Grid& grid) {
  return std::max({norm(grid.axes.col(0)), norm(grid.axes.col(1)), norm(grid.axes.col(2))});
}

volume::Index nearest_index(const volume::Grid& grid, const Vec3d& x) {
  const Vec3d at = volume::index_of(grid, x);
  return {static_cast<std::int32_t>(std::lround(at.x)),
          static_cast<std::int32_t>(std::lround(at.y)),
          static_cast<std::int32_t>(std::lround(at.z))};
}

bool contains(std::span<const std::uint16_t> labels, std::uint16_t label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// By the nearest voxel. Where a smoothed surface reaches beyond the muscle's voxels that one is
// another part's, and those around it vote.
bool has_tendon_label(const TendonSources& sources, const Vec3d& x) {
  const volume::Grid& grid = sources.volume->grid;
  const volume::Index center = nearest_index(grid, x);
  int tendon = 0, belly = 0;
  for (const int reach : {0, 1}) {
    for (int n = 0; n < 27; ++n) {
      const volume::Index index = {center[0] + reach * (n % 3 - 1),
                                   center[1] + reach * (n / 3 % 3 - 1),
                                   center[2] + reach * (n / 9 - 1)};
      if (!volume::contains(grid, index)) continue;
      const std::uint16_t label = sources.volume->voxels[volume::offset_of(grid, index)];
      if (contains(sources.labels, label)) {
        ++tendon;
      } else if (contains(sources.muscle_labels, label)) {
        ++belly;
      }
    }
    if (tendon + belly > 0 || sources.muscle_labels.empty()) break;
  }
  return tendon > belly;
}

bool is_selected(const TendonSources& sources, const Vec3d& x) {
  for (const mesh::SurfaceDistance* surface : sources.surfaces) {
    if (surface->sample(x).distance < 0) return true;
  }
  return sources.volume != nullptr && !sources.labels.empty() && has_tendon_label(sources, x);
}

void mark_selected(volume::Image<std::uint8_t>& image, const TendonSources& sources) {
  for (std::size_t voxel = 0; voxel < image.voxels.size(); ++voxel) {
    if (image.voxels[voxel] == 0) continue;
    const Vec3d x = volume::position_of(image.grid, volume::index_at(image.grid, voxel));
    if (is_selected(sources, x)) image.voxels[voxel] = kTendonTissue;
  }
}

void mark_grown(volume::Image<std::uint8_t>& image, const volume::Field& distance,
                const mesh::Surface& surface, const Attachments& attachments, EndKind origin,
                EndKind insertion) {
  const std::vector<std::uint32_t> owners = find_owners(distance, surface);
  std::vector<double> volumes(surface.positions.size(), 0.0);
  for (const std::uint32_t v : owners) {
    if (v != kNoVertex) volumes[v] += volume::voxel_volume(distance.grid);
  }
  const std::vector<std::uint8_t> tendon =
      grow_tendons(surface, volumes, attachments, origin, insertion);
  for (std::size_t voxel = 0; voxel < owners.size(); ++voxel) {
    const std::uint32_t v = owners[voxel];
    if (v != kNoVertex && tendon[v] != 0) image.voxels[voxel] = kTendonTissue;
  }
}

}  // namespace

volume::Image<std::uint8_t> mark_tissue(const volume::Field& distance, const mesh::Surface& surface,
                                        const Attachments& attachments, EndKind origin,
                                        EndKind insertion, const TendonSources& sources) {
  volume::Image<std::uint8_t> image{distance.grid,
                                    std::vector<std::uint8_t>(distance.voxels.size(), 0)};
  for (std::size_t voxel = 0; voxel < image.voxels.size(); ++voxel) {
    if (distance.voxels[voxel] < 0) image.voxels[voxel] = kMuscleTissue;
  }
  if (!sources.surfaces.empty() || !sources.labels.empty()) {
    mark_selected(image, sources);
  } else {
    mark_grown(image, distance, surface, attachments, origin, insertion);
  }
  std::vector<std::uint32_t> patches;
  for (std::uint32_t v = 0; v < attachments.end.size(); ++v) {
    if (attachments.end[v] != kNoEnd) patches.push_back(v);
  }
  const double layer = std::max(kLayer, largest_spacing(distance.grid));
  mark_near(image, surface, patches, layer, kTendonTissue);
  return image;
}

void mark_near(volume::Image<std::uint8_t>& image, const mesh::Surface& surface,
               std::span<const std::uint32_t> vertices, double depth, std::uint8_t value) {
  const volume::Grid& grid = image.grid;
  // Along axis a, |index - center| <= depth / (distance between its planes of voxels).
  const Mat3d rows = transpose(inverse(grid.axes));
  volume::Index reach{};
  for (std::size_t a = 0; a < 3; ++a) {
    reach[a] = static_cast<std::int32_t>(std::ceil(depth * norm(rows.col(a)) + 0.5));
  }
  for (const std::uint32_t v : vertices) {
    const Vec3d& x = surface.positions[v];
    const volume::Index center = nearest_index(grid, x);
    volume::Index i{};
    for (i[2] = center[2] - reach[2]; i[2] <= center[2] + reach[2]; ++i[2]) {
      for (i[1] = center[1] - reach[1]; i[1] <= center[1] + reach[1]; ++i[1]) {
        for (i[0] = center[0] - reach[0]; i[0] <= center[0] + reach[0]; ++i[0]) {
          if (!volume::contains(grid, i)) continue;
          std::uint8_t& voxel = image.voxels[volume::offset_of(grid, i)];
          if (voxel != 0 && norm(volume::position_of(grid, i) - x) < depth) voxel = value;
        }
      }
    }
  }
}

}  // namespace sinew::anatomy
