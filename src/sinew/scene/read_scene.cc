#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/mesh/boundary.h"
#include "sinew/mesh/surface_distance.h"
#include "sinew/scene/check_units.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/memory_estimate.h"
#include "sinew/scene/read_eulerian.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/read_text.h"
#include "sinew/scene/scene.h"
#include "sinew/scene/skeleton_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxBodies = 256;
constexpr double kMaxCells = 20e6;
constexpr double kMaxFrames = 1e6;

// The stem of the file with "-" for what a name may not hold.
std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string().substr(0, 64);
  for (char& c : name) {
    if (!is_name_letter(c)) c = '-';
  }
  return name.empty() ? "scene" : name;
}

// The lattice must resolve the shape and fit in memory.
void check_resolution(const Table& table, const tet::BodySettings& body) {
  const mesh::Bounds bounds = mesh::compute_bounds(body.shape);
  const Vec3d extent = bounds.high - bounds.low;
  const double smallest = std::min({extent.x, extent.y, extent.z});
  if (body.resolution > smallest * (1 + kRounding)) {
    table.fail(
        "resolution",
        fmt::format("{} m is coarser than the shape, which measures {:.6g} x {:.6g} x {:.6g} "
                    "m; allowed: at most {:.6g} m, a quarter of which is a good start",
                    body.resolution, extent.x, extent.y, extent.z, smallest));
  }
  // With the margin of two cells on each side that the mesher adds.
  const Vec3d cells = extent / body.resolution + Vec3d{4, 4, 4};
  const double count = cells.x * cells.y * cells.z;
  if (count > kMaxCells) {
    table.fail("resolution",
               fmt::format("{} m cuts the shape's box into {:.3g} cells; allowed: at most {:.3g}, "
                           "which is about {:.3g} m or more",
                           body.resolution, count, kMaxCells,
                           std::cbrt(extent.x * extent.y * extent.z / kMaxCells)));
  }
}

// A user's own tetrahedra instead of a shape and a resolution.
void read_user_mesh(const Table& body_table, tet::BodySettings& body) {
  for (const char* key : {"shape", "resolution"}) {
    if (!body_table.has(key)) continue;
    body_table.fail(key, "a body has either a mesh of its own or a shape with a resolution");
  }
  Table table = body_table.table("mesh");
  table.allow({"file", "scale"});
  const double scale = table.number_or("scale", {1e-9, 1e9, "m per unit of the file"}, 1);
  const auto path = std::filesystem::path(table.file()).parent_path() / table.text("file");
  try {
    body.mesh = std::make_shared<mesh::TetMeshFile>(mesh::read_tet_mesh(path.string(), scale));
  } catch (const InputError& error) {
    table.fail("file", error.what());
  }
  const mesh::Bounds box = mesh::compute_bounds(body.mesh->rest_positions);
  ask_for_scale(table, "file", box.high - box.low);
  mesh::Boundary boundary = mesh::extract_boundary(body.mesh->rest_positions, body.mesh->tets);
  const double volume = mesh::compute_volume(boundary.surface);
  body.resolution = std::cbrt(12 * volume / static_cast<double>(body.mesh->tets.size()));
  if (boundary.num_pinched_edges > 0) {
    table.fail("file", fmt::format("the mesh touches itself along {} edges; its parts must be "
                                   "apart or joined by faces",
                                   boundary.num_pinched_edges));
  }
  body.shape.form =
      mesh::ClosedMesh{std::make_shared<mesh::SurfaceDistance>(std::move(boundary.surface))};
}

tet::BodySettings read_body(Table table, const std::vector<std::string>& bones) {
  table.allow({"name", "shape", "resolution", "mesh", "material", "velocity", "angular_velocity",
               "fibers", "tissues", "regions", "attachments", "scramble", "active_shape"});
  tet::BodySettings body;
  body.name = table.name("name");
  if (table.has("mesh")) {
    read_user_mesh(table, body);
  } else {
    body.shape = read_solid(table, "shape");
    body.resolution = table.number("resolution", kLength);
    check_resolution(table, body);
  }
  body.material = read_material(table.table("material"));
  body.velocity = table.vector_or("velocity", kMaxSpeed, "m/s", body.velocity);
  body.angular_velocity =
      table.vector_or("angular_velocity", kMaxSpeed, "rad/s", body.angular_velocity);
  body.scramble = table.number_or("scramble", {0, 1}, body.scramble);
  read_body_parts(table, bones, body);
  read_active_shape(table, body);
  check_parts(table, body);
  return body;
}

std::vector<std::string> bone_names(const std::optional<SkeletonScene>& skeleton) {
  std::vector<std::string> names;
  if (!skeleton) return names;
  names.reserve(skeleton->skeleton.bodies.size());
  for (const skeleton::Body& body : skeleton->skeleton.bodies) names.push_back(body.name);
  return names;
}

std::vector<tet::BodySettings> read_bodies(const Table& scene,
                                           const std::optional<SkeletonScene>& skeleton,
                                           ModelCache& models) {
  const std::vector<std::string> bones = bone_names(skeleton);
  const std::vector<Table> tables = scene.tables("bodies", kMaxBodies);
  std::vector<tet::BodySettings> bodies;
  bodies.reserve(tables.size());
  for (const Table& table : tables) bodies.push_back(read_body(table, bones));
  check_unique_names(tables);
  for (tet::BodySettings& muscle : read_models(scene, bones, models)) {
    for (const tet::BodySettings& body : bodies) {
      if (body.name != muscle.name) continue;
      scene.fail("models", fmt::format("a body \"{}\" is there already; choose among a model's "
                                       "muscles with \"muscles\"",
                                       muscle.name));
    }
    bodies.push_back(std::move(muscle));
  }
  if (bodies.empty() && !skeleton) {
    scene.fail("bodies",
               "there is nothing to simulate: add [[bodies]] or [[models]], or a [skeleton]");
  }
  for (const char* key : {"colliders", "fields", "changes"}) {
    if (bodies.empty() && scene.has(key))
      scene.fail(key, "bones alone do not feel them; add [[bodies]] or [[models]]");
  }
  return bodies;
}

tet::BodySettings& find_body(const Table& change, std::vector<tet::BodySettings>& bodies) {
  std::vector<std::string_view> names;
  names.reserve(bodies.size());
  for (const tet::BodySettings& body : bodies) names.emplace_back(body.name);
  return bodies[find_named(change, "body", change.name("body"), names, "body")];
}

void read_changes(const Table& scene, std::vector<tet::BodySettings>& bodies) {
  for (Table& change : scene.tables("changes", kMaxBodies)) {
    change.allow({"body", "quantity", "times", "values", "interpolation"});
    tet::BodySettings& body = find_body(change, bodies);
    const std::string quantity = change.word("quantity", {"stiffness"});
    if (body.stiffness) {
      change.fail("body",
                  fmt::format("the {} of \"{}\" is changed twice; join the key frames in one table",
                              quantity, body.name));
    }
    body.stiffness = read_key_frames(change, {1e-9, 1e9});
  }
}

// Shapes that were imaged under the loads of the scene, which are known by now.
void find_loaded_shapes(const Table& root, Scene& scene) {
  const std::vector<Table> tables = root.tables("bodies", kMaxBodies);
  for (std::size_t b = 0; b < tables.size(); ++b) {
    if (!is_loaded(tables[b])) continue;
    if (scene.skeleton)
      tables[b].fail("active_shape", "loaded shapes are found without a skeleton only");
    find_loaded_shape(tables[b], scene.tet, scene.tet.bodies[b]);
  }
}

OutputSettings read_output(const Table& scene) {
  OutputSettings output;
  if (auto table = scene.table_if("output")) {
    table->allow({"frame_rate", "checkpoint_every"});
    output.frame_rate = table->number_or("frame_rate", {1e-3, 1e6, "frames/s"}, output.frame_rate);
    output.checkpoint_every =
        table->integer_or("checkpoint_every", 1, 1000000, output.checkpoint_every);
  }
  return output;
}

tet::Integrator read_integrator(const Table& table) {
  if (!table.has("integrator")) return tet::StepSettings{}.integrator;
  const std::string word =
      table.word("integrator", {"semi-explicit", "backward-euler", "tr-bdf2", "quasi-static"});
  if (word == "semi-explicit") return tet::Integrator::kSemiExplicit;
  if (word == "backward-euler") return tet::Integrator::kBackwardEuler;
  if (word == "quasi-static") return tet::Integrator::kQuasiStatic;
  return tet::Integrator::kTrBdf2;
}

tet::StepSettings read_solver(const Table& scene) {
  tet::StepSettings step;
  if (auto table = scene.table_if("solver")) {
    step.integrator = read_integrator(*table);
    if (step.integrator == tet::Integrator::kSemiExplicit) {
      table->allow({"integrator", "safety", "max_step", "min_step", "tolerance"});
    } else {
      table->allow({"integrator", "accuracy", "step"});
      if (table->has("accuracy") &&
          table->word("accuracy", {"animation", "engineering"}) == "engineering") {
        step.accuracy = tet::Accuracy::kEngineering;
      }
      step.step = table->number_or("step", {1e-7, 10, "s"}, step.step);
      return step;
    }
    const Range part{0, 1, "", true, true};
    step.safety = table->number_or("safety", part, step.safety);
    step.max_step = table->number_or("max_step", {1e-9, 1, "s"}, step.max_step);
    step.min_step = table->number_or("min_step", {1e-15, step.max_step, "s"},
                                     std::min(step.min_step, step.max_step));
    step.tolerance = table->number_or("tolerance", part, step.tolerance);
  }
  return step;
}

// Without inertia a body that nothing holds has no place to be, and a velocity means nothing.
void check_held(const Table& scene, const tet::Settings& settings) {
  if (settings.step.integrator != tet::Integrator::kQuasiStatic) return;
  for (const Table& body : scene.tables("bodies", kMaxBodies)) {
    for (const char* key : {"velocity", "angular_velocity"}) {
      if (body.has(key))
        body.fail(key, "the integrator quasi-static knows no inertia; tr-bdf2 does");
    }
  }
  for (const tet::BodySettings& body : settings.bodies) {
    if (!body.attachments.empty()) continue;
    scene.fail("bodies", fmt::format("nothing holds \"{}\": the integrator quasi-static needs "
                                     "[[bodies.attachments]]; tr-bdf2 does not",
                                     body.name));
  }
}

Vec3d read_gravity(const Table& scene, const Vec3d& fallback) {
  auto table = scene.table_if("world");
  if (!table) return fallback;
  table->allow({"gravity"});
  return table->vector_or("gravity", kMaxAcceleration, "m/s^2", fallback);
}

template <class Body>
void check_bone_names(const Table& root, const SkeletonScene& skeleton,
                      const std::vector<Body>& bodies) {
  for (const coupling::BoneSurface& bone : skeleton.surfaces) {
    for (const Body& body : bodies) {
      if (body.name != bone.name) continue;
      root.fail("bodies", fmt::format("a bone has the name \"{}\" already", body.name));
    }
  }
}

// Bricks follow bones; what else skeletons can do is of other engines.
void check_brick_skeleton(const Table& root, const Scene& scene) {
  const Table skeleton = root.table("skeleton");
  for (const char* key : {"activations", "collide"}) {
    if (skeleton.has(key)) skeleton.fail(key, "is of the engine \"tet\" only");
  }
  if (scene.skeleton->two_way)
    skeleton.fail("two_way",
                  "bricks follow bones but do not move them; engines \"tet\" and "
                  "\"eulerian\" do");
  check_bone_names(root, *scene.skeleton, scene.brick->bodies);
}

void read_brick_scene(const Table& root, Scene& scene) {
  for (const char* key : {"models", "changes"}) {
    if (root.has(key)) root.fail(key, "is of the engine \"tet\" only");
  }
  ModelCache models;
  scene.skeleton = read_skeleton(root, scene.tet.world.gravity, models);
  scene.brick = read_brick(root, bone_names(scene.skeleton), models);
  scene.notes = models.notes();
  if (scene.skeleton) check_brick_skeleton(root, scene);
  scene.tet.world.colliders = read_colliders(root);
  scene.tet.world.fields = read_fields(root);
  scene.brick->world = scene.tet.world;
  for (const engine::Collider& collider : scene.brick->world.colliders) {
    for (const brick::BodySettings& body : scene.brick->bodies) {
      if (body.name != collider.name) continue;
      root.fail("colliders", fmt::format("a body has the name \"{}\" already", body.name));
    }
  }
}

void read_eulerian_scene(const Table& root, Scene& scene) {
  ModelCache models;
  scene.skeleton = read_skeleton(root, scene.tet.world.gravity, models);
  scene.eulerian = read_eulerian(root, scene.tet.world.gravity, scene.skeleton);
  if (!scene.skeleton) return;
  const Table skeleton = root.table("skeleton");
  for (const char* key : {"activations", "collide"}) {
    if (skeleton.has(key)) skeleton.fail(key, "is of the engine \"tet\" only");
  }
  check_bone_names(root, *scene.skeleton, scene.eulerian->bodies);
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& path) {
  const Value document = parse_toml(text, path);
  Table root(path, document, "");
  root.allow({"name", "duration", "engine", "output", "solver", "world", "bodies", "models",
              "colliders", "fields", "changes", "skeleton", "grids", "contacts", "limits"});
  Scene scene;
  scene.name = root.has("name") ? root.name("name") : name_of_file(path);
  scene.path = path;
  scene.text = text;
  scene.duration = root.number("duration", {0, 1e6, "s", true});
  scene.output = read_output(root);
  scene.limits = read_limits(root, scene.duration);
  if (scene.duration * scene.output.frame_rate > kMaxFrames) {
    root.fail("duration", fmt::format("{} s at {} frames/s are more than {} frames", scene.duration,
                                      scene.output.frame_rate, kMaxFrames));
  }
  scene.tet.world.gravity = read_gravity(root, scene.tet.world.gravity);
  const std::string engine =
      root.has("engine") ? root.word("engine", {"tet", "brick", "eulerian"}) : "tet";
  if (engine != "eulerian") {
    for (const char* key : {"grids", "contacts"}) {
      if (root.has(key)) root.fail(key, "only the engine eulerian has it: engine = \"eulerian\"");
    }
  }
  if (engine == "eulerian") {
    read_eulerian_scene(root, scene);
    check_memory(scene);
    return scene;
  }
  if (engine == "brick") {
    read_brick_scene(root, scene);
    check_memory(scene);
    return scene;
  }
  scene.tet.step = read_solver(root);
  ModelCache models;
  scene.skeleton = read_skeleton(root, scene.tet.world.gravity, models);
  scene.tet.bodies = read_bodies(root, scene.skeleton, models);
  scene.notes = models.notes();
  scene.tet.world.colliders = read_colliders(root);
  if (scene.skeleton) {
    check_bone_names(root, *scene.skeleton, scene.tet.bodies);
    read_activations(root, scene.duration, *scene.skeleton, scene.tet.bodies);
  }
  if (scene.skeleton && !scene.is_bones_alone()) {
    for (engine::Collider& bone : make_bone_colliders(*scene.skeleton))
      scene.tet.world.colliders.push_back(std::move(bone));
  }
  scene.tet.world.fields = read_fields(root);
  read_changes(root, scene.tet.bodies);
  check_held(root, scene.tet);
  check_memory(scene);
  find_loaded_shapes(root, scene);
  return scene;
}

Scene read_scene(const std::string& path) {
  return parse_scene(read_text(path, "scene"), path);
}

}  // namespace sinew::scene
