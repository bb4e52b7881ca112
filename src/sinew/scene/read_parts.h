// The parts of a scene file, each read from its table: shapes, materials, key frames and what
// surrounds the bodies. All throw InputError as toml_table.h says; docs/scene.md lists the keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/anatomy/model_settings.h"
#include "sinew/brick/settings.h"
#include "sinew/engine/key_frames.h"
#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/material/activation_dynamics.h"
#include "sinew/material/elasticity.h"
#include "sinew/mesh/shape.h"
#include "sinew/record/limits.h"
#include "sinew/scene/toml_table.h"
#include "sinew/tet/settings.h"

namespace sinew::scene {

inline constexpr double kMaxPosition = 1e6;      // m, of any coordinate
inline constexpr double kMaxSpeed = 1e4;         // m/s or rad/s, of any component
inline constexpr double kMaxAcceleration = 1e6;  // m/s^2, of any component
inline constexpr Range kLength{1e-6, 1e4, "m"};
// Relative: a side of 0.3 - 0.2 is a little less than 0.1, and what is equal on paper is equal
// here.
inline constexpr double kRounding = 1e-9;

// A shape of any type; `read_solid` refuses those without bounds. Meshes are read from their files.
mesh::Shape read_shape(const Table& parent, std::string_view key);
mesh::Shape read_solid(const Table& parent, std::string_view key);
// At most `most` shapes of a list; none where the key is missing.
std::vector<mesh::Shape> read_shapes(const Table& parent, std::string_view key, std::size_t most);

material::Material read_material(Table table);

// The key times of `table`: as many as `count`, how many there are of the key `values`, increasing.
std::vector<double> read_times(const Table& table, std::size_t count, std::string_view values);

// The keys times, values (or what `values` says) and interpolation of `table`, which allow() must
// have named. Values are in `range`, and positive where the interpolation is logarithmic.
engine::KeyFrames read_key_frames(const Table& table, const Range& range,
                                  std::string_view values = "values");

// The keys excitation, rise_time and fall_time of a table, which allow() must have named. Without a
// time, activation is excitation.
std::pair<std::optional<engine::KeyFrames>, std::optional<material::ActivationDynamics>>
read_excitation(const Table& table);

// The keys travel and motion of a table, which belong together: where to, and when.
std::optional<engine::KeyFrames> read_travel(const Table& table, Vec3d& travel);

// The keys travel, motion and turn of a table, which allow() must have named.
engine::RigidMotion read_rigid_motion(const Table& table);

// Fibres, tissues, regions and attachments of a body whose shape and resolution are known. `bones`:
// names of the skeleton's bodies, which attachments may belong to; empty without a skeleton.
void read_body_parts(const Table& table, const std::vector<std::string>& bones,
                     tet::BodySettings& body);

// Refuses what of a body that is read would do nothing: regions where nothing can contract, fibres
// in tissues that have none, keys of lattices on a mesh of one's own.
void check_parts(const Table& table, const tet::BodySettings& body);
// The same of a body of bricks.
void check_brick_parts(const Table& table, const brick::BodySettings& body, brick::Strain strain);

// The map of the key `active_shape` for a body of this shape: of type "fitted" or "uniform", or,
// where `plain`, of any shape's type, which is then the active one.
anatomy::ActiveMap read_active_map(const Table& body, const mesh::Shape& passive, bool plain);

// The map of a table with the keys shape and spacing, which allow() must have named. `landmarks`
// are passive points and where they are when active.
anatomy::ActiveMap read_fitted_map(const Table& table, const mesh::Shape& passive,
                                   std::vector<std::pair<Vec3d, Vec3d>> landmarks);

// Whether the body's table has an active shape of type "loaded", which is found last.
bool is_loaded(const Table& body_table);

// The active shape of a body whose table has one of type "loaded": what `scene` loads to the shape
// that was imaged. The rest of both is known. Some dozen solves.
void find_loaded_shape(const Table& body_table, const tet::Settings& scene,
                       tet::BodySettings& body);

// What the body becomes at activation one, where its table has `active_shape`; its shape is known.
// Of type "loaded" it is found later.
void read_active_shape(const Table& table, tet::BodySettings& body);

// The muscles of the built models that the scene's [[models]] name, held at both ends: where they
// are, or by those of the bones that have the names of the model's.
class ModelCache;
std::vector<tet::BodySettings> read_models(const Table& scene,
                                           const std::vector<std::string>& bones,
                                           ModelCache& models);

// The scene's table [limits], what is not in it as usual.
record::Limits read_limits(const Table& scene, double duration);

std::vector<engine::Collider> read_colliders(const Table& scene);
std::vector<engine::ForceField> read_fields(const Table& scene);

// Bodies, step and strain of a scene with engine = "brick"; its world is for the caller.
brick::Settings read_brick(const Table& scene, const std::vector<std::string>& bones,
                           ModelCache& models);

// How bricks are laid around a surface: `counts` is the key of how many, the others are axis and
// levels, which allow() must have named.
anatomy::BrickSettings read_brick_layout(const Table& table, std::string_view counts);

// Refuses a name that stands twice among `tables`.
void check_unique_names(const std::vector<Table>& tables);

}  // namespace sinew::scene
