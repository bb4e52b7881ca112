#include "sinew/levelset/from_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/levelset/bridges.h"
#include "sinew/levelset/distance_field.h"
#include "sinew/levelset/mend_surface.h"
#include "sinew/levelset/triangle_distance.h"
#include "sinew/levelset/winding.h"

namespace sinew::levelset {
namespace {

constexpr double kLargestHole = 6;  // voxels
constexpr double kMostVoxels = 2147483648.0;
constexpr std::size_t kCutWorthTelling =
    8;  // voxels that a surface winds around twice or backwards

std::string find_fault(const mesh::Surface& surface, double voxel) {
  for (const auto& t : surface.triangles) {
    for (const std::uint32_t v : t) {
      if (v >= surface.positions.size()) return "a triangle names a vertex that is not there";
    }
  }
  if (surface.triangles.empty()) return "the surface has no triangles";
  if (!std::all_of(surface.positions.begin(), surface.positions.end(), is_finite)) {
    return "a vertex has a coordinate that is not a finite number";
  }
  const mesh::Bounds box = mesh::compute_bounds(surface.positions);
  double voxels = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    voxels *= (box.high[a] - box.low[a]) / voxel + 2 * kBand;
    const double reach = std::max(std::abs(box.low[a]), std::abs(box.high[a])) / voxel;
    if (reach > 1e8) voxels = kMostVoxels + 1;
  }
  if (voxels < kMostVoxels) return "";
  return fmt::format(
      "the surface spans ({:.3g}, {:.3g}, {:.3g}) m, too much for voxels of {:.3g} m; check its "
      "unit, or take larger voxels",
      box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z, voxel);
}

// Gives distances their sign and says where the surface overlaps itself.
void apply_sign(const volume::Image<std::int16_t>& winding, volume::Field& field,
                std::vector<Repair>& repairs) {
  std::size_t num_cut = 0;
  Vec3d sum{};
  for (std::size_t n = 0; n < field.voxels.size(); ++n) {
    const int turns = winding.voxels[n];
    if (turns >= 1) field.voxels[n] = -field.voxels[n];
    if (turns == 0 || turns == 1) continue;
    ++num_cut;
    sum += volume::position_of(field.grid, volume::index_at(field.grid, n));
  }
  if (num_cut < kCutWorthTelling) return;
  const double count = static_cast<double>(num_cut);
  repairs.push_back({"self-intersection", "", "", sum / count,
                     count * volume::voxel_volume(field.grid), false,
                     "the surface overlaps itself; what lies in it once or more is inside"});
}

// Where a solid in one piece is thinner than a voxel its samples may fall apart: they are joined
// over the voxels nearest to it, up to `reach` voxels away.
void join_samples(double reach, volume::Field& field, std::vector<Repair>& repairs) {
  const double h = spacing_of(field.grid);
  volume::Field thicker = field;
  for (float& v : thicker.voxels) v -= static_cast<float>(reach * h);
  const std::vector<std::uint8_t> no_barrier(field.voxels.size(), 0);
  const Bridges bridges = find_bridges(thicker, field, no_barrier, 0);
  if (bridges.path.empty()) return;
  Vec3d sum{};
  for (const std::size_t n : bridges.path) {
    field.voxels[n] = std::min(field.voxels[n], static_cast<float>(-0.5 * h));
    sum += volume::position_of(field.grid, volume::index_at(field.grid, n));
  }
  const double count = static_cast<double>(bridges.path.size());
  repairs.push_back({"thin", "", "", sum / count, count * volume::voxel_volume(field.grid), false,
                     "thinner than a voxel; thickened to one to stay in one piece"});
  redistance(field, kBand * h);
}

}  // namespace

SurfaceLevelSet make_level_set(const mesh::Surface& surface, double voxel) {
  SurfaceLevelSet result{LevelSet(voxel), {}, find_fault(surface, voxel)};
  if (!result.refusal.empty()) return result;
  MendedSurface mended = mend_surface(surface, kLargestHole * voxel);
  result.repairs = std::move(mended.repairs);
  result.refusal = std::move(mended.refusal);
  if (!result.refusal.empty()) return result;
  // Only vertices of triangles count: files may hold others.
  std::vector<Vec3d> used;
  for (const auto& t : mended.surface.triangles) {
    for (const std::uint32_t v : t) used.push_back(mended.surface.positions[v]);
  }
  const IndexBox box = grow(box_around(mesh::compute_bounds(used), voxel), kBand);
  volume::Field field = compute_triangle_distance(mended.surface, box, voxel);
  apply_sign(compute_winding(mended.surface, box, voxel), field, result.repairs);
  extend_inside(field, kBand * voxel);
  if (mended.num_shells == 1) {
    for (const double reach : {0.5, 1.0, 2.0}) join_samples(reach, field, result.repairs);
  }
  result.level_set = LevelSet(field);
  if (result.level_set.is_empty()) {
    result.refusal = fmt::format(
        "the surface holds no voxel of {:.3g} m: it is flat or too small; check its unit, or take "
        "smaller voxels",
        voxel);
  }
  return result;
}

}  // namespace sinew::levelset
