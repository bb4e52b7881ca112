// A scene: what is simulated, for how long and what is kept of it. Read from TOML (read_scene),
// which refuses what it does not know; docs/scene.md lists every key with unit and range.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/brick/settings.h"
#include "sinew/coupling/coupled_engine.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/eulerian/settings.h"
#include "sinew/record/limits.h"
#include "sinew/skeleton/interpolate_motion.h"
#include "sinew/skeleton/skeleton.h"
#include "sinew/tet/model.h"
#include "sinew/tet/settings.h"

namespace sinew::scene {

struct OutputSettings {
  double frame_rate = 24;     // frames a second, > 0
  int checkpoint_every = 10;  // frames, >= 1
};

// Bones that tissue is attached to and how they move.
struct SkeletonScene {
  skeleton::Skeleton skeleton;
  std::shared_ptr<const skeleton::MotionSpline> motion;  // null: nothing is prescribed
  std::vector<std::size_t> prescribed;                   // coordinates that follow it
  bool two_way = false;  // other coordinates are moved by forces; else they stay
  coupling::Exchange exchange = coupling::Exchange::kIterated;  // of two_way
  std::vector<double> damping;  // (num_coordinates) of two_way, N m s/rad or N s/m; empty: none
  bool lines = true;            // lines of action are shown
  bool collide = true;          // tissue does not enter bones
  std::vector<coupling::BoneSurface> surfaces;
  std::vector<std::string> notes;              // what of the files named has no effect, a line each
  std::vector<engine::KeyFrames> activations;  // (num_muscles) of lines, or empty: none is known
};

struct Scene {
  std::string name;     // the file's stem unless the file says otherwise
  std::string path;     // of the file, as the user named it
  std::string text;     // the file as it was read, kept in the recording
  double duration = 1;  // s, > 0
  OutputSettings output;
  record::Limits limits;  // that the run is held to
  tet::Settings tet;
  std::optional<brick::Settings> brick;        // of engine = "brick": instead of tet's bodies
  std::optional<eulerian::Settings> eulerian;  // of engine = "eulerian": instead of tet's bodies
  std::optional<SkeletonScene> skeleton;
  std::vector<std::string> notes;  // what of the built models is not as it should be, a line each

  // Whether a skeleton is all there is.
  bool is_bones_alone() const { return skeleton && !brick && !eulerian && tet.bodies.empty(); }
};

// Reads and validates a scene. Paths in it are relative to the scene file. Throws InputError with
// file and line, the value found, what is allowed and the nearest right key.
Scene read_scene(const std::string& path);
// The same from text; `path` is for messages and for relative paths.
Scene parse_scene(const std::string& text, const std::string& path);

// The tet engine's model of the scene, and the engine itself. Both throw InputError where a body
// cannot be meshed at its resolution.
tet::Model make_model(const Scene& scene);
std::unique_ptr<engine::TissueEngine> make_engine(const Scene& scene);

}  // namespace sinew::scene
