// Bones as obstacles: a distance field of each surface, in the frame in which the bone rests.
#include "sinew/core/parallel_tasks.h"
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
  std::vector<double> costs;
  for (const coupling::BoneSurface& bone : skeleton.surfaces) {
    costs.push_back(bone.solid ? static_cast<double>(bone.surface.triangles.size()) : 0);
  }
  parallel_tasks(costs, [&](std::size_t i) {
    const coupling::BoneSurface& bone = skeleton.surfaces[i];
    if (!bone.solid) return;
    const levelset::SurfaceLevelSet solid = levelset::make_level_set(bone.surface, kVoxel);
    if (!solid.refusal.empty() || solid.level_set.is_empty()) return;
    found[i].name = bone.name;
    found[i].bone = bone.body;
    found[i].shape.form = mesh::Sampled{solid.level_set.sample(kMargin)};
  });
  // A bone whose surface has no inside is shown but no obstacle.
  std::vector<engine::Collider> out;
  for (engine::Collider& collider : found)
    if (collider.bone) out.push_back(std::move(collider));
  return out;
}

}  // namespace sinew::scene
