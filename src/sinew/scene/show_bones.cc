// What shows the bones of a skeleton that comes from a file.
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/scene/skeleton_parts.h"
#include "sinew/skeleton/display_surfaces.h"
#include "sinew/skeleton/kinematics.h"

namespace sinew::scene {
namespace {

// The body's name with "-" for what a name may not hold, and as many more as make it another one.
std::string make_name(std::string name, const std::vector<coupling::BoneSurface>& taken) {
  name.resize(std::min<std::size_t>(name.size(), 56));
  for (char& c : name) {
    if (!is_name_letter(c)) c = '-';
  }
  const auto is_taken = [&] {
    return std::any_of(taken.begin(), taken.end(),
                       [&](const auto& surface) { return surface.name == name; });
  };
  while (name.empty() || is_taken()) name += '-';
  return name;
}

void note_left_out(const std::vector<skeleton::DisplayFile>& left_out, SkeletonScene& scene) {
  if (left_out.empty()) return;
  std::vector<std::string_view> names;
  names.reserve(left_out.size());
  for (const skeleton::DisplayFile& file : left_out) names.emplace_back(file.file);
  scene.notes.push_back(
      fmt::format("surfaces of {} that are not shown (`sinew check` of it says why): {}",
                  scene.skeleton.file, join_some(names)));
}

}  // namespace

void show_bones(SkeletonScene& scene) {
  skeleton::DisplaySurfaces shown = read_display_surfaces(scene.skeleton);
  note_left_out(shown.left_out, scene);
  if (shown.bodies.empty() && scene.surfaces.empty()) shown.bodies = make_sticks(scene.skeleton);
  skeleton::Kinematics rest;
  evaluate_kinematics(scene.skeleton, rest_pose(scene.skeleton), rest);
  std::set<std::size_t> by_shapes;
  for (const coupling::BoneSurface& shape : scene.surfaces) by_shapes.insert(shape.body);
  for (skeleton::BodySurface& bone : shown.bodies) {
    if (by_shapes.contains(bone.body)) continue;
    for (Vec3d& x : bone.surface.positions) x = apply(rest.bodies[bone.body], x);
    scene.surfaces.push_back({make_name(scene.skeleton.bodies[bone.body].name, scene.surfaces),
                              bone.body, std::move(bone.surface), false});
  }
}

}  // namespace sinew::scene
