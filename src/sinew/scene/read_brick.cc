// Bodies of a scene with engine = "brick".

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "sinew/brick/box_surface.h"
#include "sinew/brick/wrap_mesh.h"
#include "sinew/brick/wrap_muscle.h"
#include "sinew/core/error.h"
#include "sinew/coupling/model_bodies.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/skeleton_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxBodies = 64;
constexpr std::size_t kMaxParts = 64;

// A box is cut into bricks as it is; every other shape is wrapped.
void read_box(const mesh::Box& box, const std::array<int, 3>& counts, brick::BodySettings& body) {
  const auto place = [&box](const Vec3d& p) {
    return box.center + box.rotation * Vec3d{0.5 * p.x * box.size.x, 0.5 * p.y * box.size.y,
                                             0.5 * p.z * box.size.z};
  };
  body.mesh = brick::make_mapped_mesh(counts, true, place);
  body.surface = brick::make_box_surface(place, 10);
}

void read_wrapped(const Table& table, const mesh::Shape& shape,
                  const anatomy::BrickSettings& layout, brick::BodySettings& body) {
  const mesh::Bounds bounds = mesh::compute_bounds(shape);
  const double size = norm(bounds.high - bounds.low);
  const double spacing = table.number_or("spacing", {size * 1e-3, size, "m"}, size / 60);
  body.surface = mesh::make_isosurface(shape, spacing);
  try {
    body.mesh = brick::wrap_surface(
        body.surface, {.counts = layout.counts, .axis = layout.axis, .levels = layout.levels});
  } catch (const std::invalid_argument& e) {
    table.fail("bricks", e.what());
  }
}

void read_form(const Table& table, brick::BodySettings& body) {
  const mesh::Shape shape = read_solid(table, "shape");
  const anatomy::BrickSettings layout = read_brick_layout(table, "bricks");
  if (const auto* box = std::get_if<mesh::Box>(&shape.form)) {
    for (const char* key : {"axis", "levels", "spacing"}) {
      if (table.has(key)) table.fail(key, "belongs to a wrapped shape; a box is cut as it is");
    }
    read_box(*box, layout.counts, body);
  } else {
    read_wrapped(table, shape, layout, body);
  }
}

// The muscle of the body's name in a built model, with the bricks of its build.
struct ModelMuscle {
  std::shared_ptr<const anatomy::Model> model;
  const anatomy::Muscle* muscle = nullptr;  // of it
};

ModelMuscle read_model_muscle(const Table& table, ModelCache& models, brick::BodySettings& body) {
  for (const char* key : {"shape", "bricks", "axis", "levels", "spacing"}) {
    if (table.has(key)) table.fail(key, "is the model's where a body has \"model\"");
  }
  ModelMuscle out{models.read(table, "model")};
  std::vector<std::string_view> known;
  for (const anatomy::Muscle& muscle : out.model->muscles) known.emplace_back(muscle.name);
  out.muscle =
      &out.model->muscles[find_named(table, "name", body.name, known, "muscle of the model")];
  if (!out.muscle->bricks) {
    table.fail("model",
               fmt::format("has no bricks around \"{}\": give the muscle \"bricks\" in the "
                           "model file and build it again, or lay and save some on the "
                           "page of the model",
                           body.name));
  }
  models.note_ends(*out.muscle);
  body.mesh = brick::make_mesh(*out.muscle->bricks);
  body.surface = out.muscle->surface;
  return out;
}

brick::MuscleSettings read_muscle(Table table) {
  table.allow({"max_force", "passive_force", "max_velocity", "optimal_stretch", "damping",
               "line_strengths", "recruitment", "strength_by_volume", "excitation", "rise_time",
               "fall_time", "tendon_strain"});
  brick::MuscleSettings muscle;
  muscle.max_force = table.number("max_force", {0, 1e6, "N", true});
  muscle.passive_force = table.number_or("passive_force", {0, 100}, muscle.passive_force);
  muscle.max_velocity =
      table.number_or("max_velocity", {0.1, 1000, "optimal lengths/s"}, muscle.max_velocity);
  muscle.optimal_stretch = table.number_or("optimal_stretch", {0.2, 5}, muscle.optimal_stretch);
  muscle.damping = table.number_or("damping", {0, 10}, muscle.damping);
  muscle.shape.tendon_strain =
      table.number_or("tendon_strain", {1e-3, 1}, muscle.shape.tendon_strain);
  if (table.has("line_strengths"))
    muscle.line_strengths = table.numbers("line_strengths", {0, 100});
  if (table.has("recruitment")) muscle.recruitment = table.numbers("recruitment", {0, 1});
  muscle.strength_by_volume = table.boolean_or("strength_by_volume", false);
  std::tie(muscle.excitation, muscle.dynamics) = read_excitation(table);
  return muscle;
}

// What tendons and ties of a body may belong to.
struct Around {
  const std::vector<std::string>& bones;  // names of the skeleton's bodies
  ModelMuscle source;                     // no muscle: the body has a shape
};

// Nodes of the mesh in the shape that `table` gives, or at the end that it names.
std::vector<std::uint32_t> read_nodes(const Table& table, const Around& around,
                                      const brick::BodySettings& body) {
  if (table.has("end")) {
    if (table.has("shape")) table.fail("end", "stands instead of \"shape\"; leave one out");
    if (around.source.muscle == nullptr) {
      table.fail("end", "only muscles of a model have ends: a body with \"model\"");
    }
    return brick::find_end_nodes(*around.source.muscle,
                                 table.word("end", {"origin", "insertion"}) == "origin");
  }
  const mesh::Shape where = read_shape(table, "shape");
  const mesh::Bounds box = mesh::compute_bounds(body.mesh.rest_positions);
  const double tolerance = 1e-6 * norm(box.high - box.low);
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < body.mesh.rest_positions.size(); ++n) {
    if (signed_distance(where, body.mesh.rest_positions[n]) <= tolerance) nodes.push_back(n);
  }
  if (nodes.empty()) {
    table.fail("shape", fmt::format("holds none of the {} nodes of \"{}\"",
                                    body.mesh.rest_positions.size(), body.name));
  }
  return nodes;
}

// The bone that is named, else that of the end, where the skeleton has one of its name.
std::optional<std::size_t> read_bone(const Table& table, const Around& around) {
  if (table.has("bone")) {
    return find_named(table, "bone", table.name("bone"), {around.bones.begin(), around.bones.end()},
                      "body of a [skeleton]");
  }
  if (!table.has("end") || table.has("motion") || table.has("turn")) return {};
  const anatomy::Muscle& muscle = *around.source.muscle;
  const bool origin = table.word("end", {"origin", "insertion"}) == "origin";
  return coupling::find_body_of(*around.source.model, origin ? muscle.origin : muscle.insertion,
                                around.bones);
}

brick::TendonSettings read_tendon(Table table, const Around& around,
                                  const brick::BodySettings& body) {
  table.allow({"name", "shape", "end", "to", "offset", "slack", "max_force", "damping", "travel",
               "motion", "turn", "bone"});
  brick::TendonSettings tendon;
  tendon.name = table.name("name");
  tendon.nodes = read_nodes(table, around, body);
  if (table.has("to") == table.has("offset")) {
    table.fail("to",
               "a tendon needs one of \"to\", where all its strings meet, and \"offset\", how "
               "far from its node each ends");
  }
  tendon.parallel = table.has("offset");
  tendon.to = table.vector(tendon.parallel ? "offset" : "to", kMaxPosition, "m");
  if (tendon.parallel && norm(tendon.to) < 1e-9)
    table.fail("offset", "is zero; strings have a length");
  tendon.slack = table.number_or("slack", {0.01, 100}, tendon.slack);
  tendon.max_force = table.number("max_force", {0, 1e7, "N", true});
  tendon.damping = table.number_or("damping", {0, 1, "s"}, tendon.damping);
  tendon.motion = read_rigid_motion(table);
  tendon.bone = read_bone(table, around);
  return tendon;
}

brick::TieSettings read_tie(Table table, const Around& around, const brick::BodySettings& body) {
  table.allow({"name", "shape", "end", "compliance", "travel", "motion", "turn", "bone"});
  brick::TieSettings tie;
  tie.name = table.name("name");
  tie.nodes = read_nodes(table, around, body);
  tie.compliance = table.number_or("compliance", {0, 1e6, "m/N"}, tie.compliance);
  tie.motion = read_rigid_motion(table);
  tie.bone = read_bone(table, around);
  return tie;
}

brick::BodySettings read_body(Table table, const std::vector<std::string>& bones,
                              brick::Strain strain, ModelCache& models) {
  table.allow({"name", "model", "shape", "bricks", "axis", "levels", "spacing", "modes", "material",
               "muscle", "tendons", "ties", "velocity", "angular_velocity"});
  brick::BodySettings body;
  body.name = table.name("name");
  Around around{bones, {}};
  if (table.has("model")) {
    around.source = read_model_muscle(table, models, body);
  } else {
    read_form(table, body);
  }
  body.modes = static_cast<std::size_t>(table.integer_or("modes", 1, 100000, 0));
  if (!table.has("modes")) body.modes = 0;
  body.materials = {read_material(table.table("material"))};
  body.velocity = table.vector_or("velocity", kMaxSpeed, "m/s", body.velocity);
  body.angular_velocity =
      table.vector_or("angular_velocity", kMaxSpeed, "rad/s", body.angular_velocity);
  if (auto muscle = table.table_if("muscle")) body.muscle = read_muscle(*muscle);
  const std::vector<Table> tendons = table.tables("tendons", kMaxParts);
  for (const Table& t : tendons) body.tendons.push_back(read_tendon(t, around, body));
  check_unique_names(tendons);
  const std::vector<Table> ties = table.tables("ties", kMaxParts);
  for (const Table& t : ties) body.ties.push_back(read_tie(t, around, body));
  check_unique_names(ties);
  check_brick_parts(table, body, strain);
  return body;
}

}  // namespace

brick::Settings read_brick(const Table& scene, const std::vector<std::string>& bones,
                           ModelCache& models) {
  brick::Settings settings;
  if (auto solver = scene.table_if("solver")) {
    solver->allow({"step", "strain"});
    settings.step = solver->number_or("step", {1e-6, 1, "s"}, settings.step);
    if (solver->has("strain") && solver->word("strain", {"small", "large"}) == "large") {
      settings.strain = brick::Strain::kLarge;
    }
  }
  const std::vector<Table> tables = scene.tables("bodies", kMaxBodies);
  if (tables.empty()) scene.fail("bodies", "there is nothing to simulate: add [[bodies]]");
  settings.bodies.reserve(tables.size());
  for (const Table& table : tables)
    settings.bodies.push_back(read_body(table, bones, settings.strain, models));
  check_unique_names(tables);
  return settings;
}

}  // namespace sinew::scene
