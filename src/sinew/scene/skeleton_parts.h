// The parts of a scene's [skeleton], each read from its keys. All throw InputError as toml_table.h
// says; docs/scene.md lists the keys.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/anatomy/model.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/toml_table.h"

namespace sinew::scene {

// Of [skeleton]; all others are refused.
void allow_skeleton_keys(Table& table);

// Built models that a scene names, each read once.
class ModelCache {
 public:
  // The model in the folder that `key` names, relative to the scene.
  std::shared_ptr<const anatomy::Model> read(const Table& table, std::string_view key);

  // Notes those of the muscle's ends that are not valid. For every muscle that the scene takes.
  void note_ends(const anatomy::Muscle& muscle);
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> notes_;
  std::map<std::string, std::shared_ptr<const anatomy::Model>> models_;
};

std::optional<SkeletonScene> read_skeleton(const Table& scene, const Vec3d& gravity,
                                           ModelCache& models);

// Which coordinates follow key frames ([[skeleton.moves]]) or a file ([skeleton.motion]).
void read_motion(const Table& table, SkeletonScene& scene);

// Excitations from [skeleton.activations], computed from the motion or read from a file, for the
// bodies of the muscles' names and for the skeleton's lines; notes muscles that get none.
void read_activations(const Table& scene, double duration, SkeletonScene& skeleton,
                      std::vector<tet::BodySettings>& bodies);

// Shows the bodies of a skeleton from a file, but for those that a shape shows already, by their
// display geometry; by sticks where none has any.
void show_bones(SkeletonScene& scene);

// The bones as obstacles, each in its own frame.
std::vector<engine::Collider> make_bone_colliders(const SkeletonScene& skeleton);

std::vector<std::string_view> coordinate_names(const skeleton::Skeleton& skeleton);
std::vector<std::string_view> body_names(const skeleton::Skeleton& skeleton);
// The index of the coordinate that `key` names.
std::size_t find_coordinate(const Table& table, std::string_view key,
                            const skeleton::Skeleton& skeleton);

}  // namespace sinew::scene
