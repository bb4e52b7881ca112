// Bones as obstacles: a distance field of each surface, in the frame in which the bone rests.
#include <algorithm>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/levelset/from_surface.h"
#include "sinew/scene/skeleton_parts.h"

namespace sinew::scene {
namespace {

constexpr double kVoxel = 0.0015;  // m: muscles' cells are larger
constexpr int kMargin = 4;         // voxels of distance around the bone

}  // namespace

std::vector<engine::Collider> make_bone_colliders(const SkeletonScene& skeleton) {
  if (!skeleton.collide) return {};
  std::vector<engine::Collider> found(skeleton.surfaces.size());
  // The largest first, so that no thread is left alone with one.
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return skeleton.surfaces[a].surface.triangles.size() >
           skeleton.surfaces[b].surface.triangles.size();
  });
  parallel_for(found.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = order[k];
      const coupling::BoneSurface& bone = skeleton.surfaces[i];
      const levelset::SurfaceLevelSet solid = levelset::make_level_set(bone.surface, kVoxel);
      if (!solid.refusal.empty() || solid.level_set.is_empty()) continue;
      found[i].name = bone.name;
      found[i].bone = bone.body;
      found[i].shape.form = mesh::Sampled{solid.level_set.sample(kMargin)};
    }
  });
  // A bone whose surface has no inside is shown but no obstacle.
  std::vector<engine::Collider> out;
  for (engine::Collider& collider : found)
    if (collider.bone) out.push_back(std::move(collider));
  return out;
}

}  // namespace sinew::scene
