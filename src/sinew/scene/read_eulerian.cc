// Scenes of engine = "eulerian": grids, bodies on them, close contacts.

#include "sinew/scene/read_eulerian.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/anatomy/active_map.h"
#include "sinew/eulerian/settings.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/skeleton_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxGrids = 16;
constexpr std::size_t kMaxBodies = 64;
constexpr std::size_t kMaxParts = 64;
constexpr int kMostCells = 512;
constexpr Range kModulus{1, 1e12, "Pa"};

// What grids and attachments can be fixed to; both empty where there is no skeleton.
struct Holders {
  std::vector<std::string_view> bones, tendons;
};

Holders find_holders(const std::optional<SkeletonScene>& skeleton) {
  Holders out;
  if (!skeleton) return out;
  out.bones = body_names(skeleton->skeleton);
  for (const skeleton::Muscle& m : skeleton->skeleton.muscles) out.tendons.emplace_back(m.name);
  return out;
}

std::optional<std::size_t> read_bone(const Table& table, const Holders& holders) {
  if (!table.has("bone")) return {};
  if (table.has("motion")) table.fail("motion", "a bone moves it already");
  return find_named(table, "bone", table.name("bone"), holders.bones, "bone");
}

std::optional<eulerian::TendonEnd> read_tendon(const Table& table, const Holders& holders) {
  if (table.has("tendon") != table.has("direction")) {
    table.fail(table.has("tendon") ? "tendon" : "direction",
               "tendon and direction belong together: which muscle's path, and where the end goes "
               "as it grows");
  }
  if (!table.has("tendon")) return {};
  for (const char* key : {"bone", "motion"}) {
    if (table.has(key)) table.fail(key, "a tendon moves it already");
  }
  eulerian::TendonEnd end;
  end.tendon = find_named(table, "tendon", table.name("tendon"), holders.tendons, "muscle");
  end.direction = table.direction("direction");
  return end;
}

eulerian::GridSettings read_grid(Table table, const Holders& holders,
                                 std::vector<std::string>& names) {
  table.allow({"name", "low", "spacing", "cells", "travel", "motion", "bone"});
  eulerian::GridSettings grid;
  names.push_back(table.name("name"));
  grid.low = table.vector("low", kMaxPosition, "m");
  grid.spacing = table.number("spacing", kLength);
  const std::vector<int> cells = table.integers("cells", 8, kMostCells);
  if (cells.size() != 3) {
    table.fail("cells", fmt::format("{} numbers; allowed: three, one a direction", cells.size()));
  }
  std::copy(cells.begin(), cells.end(), grid.cells.begin());
  engine::RigidMotion motion;
  motion.shift = read_travel(table, motion.travel);
  if (motion.shift) grid.motion = motion;
  grid.bone = read_bone(table, holders);
  return grid;
}

eulerian::TissueLaw read_law(Table table) {
  table.allow({"density", "shear_modulus", "lame", "volume"});
  eulerian::TissueLaw law;
  law.density = table.number_or("density", {1, 1e5, "kg/m^3"}, law.density);
  law.shear_modulus = table.number("shear_modulus", kModulus);
  law.lame = table.number_or("lame", {0, 1e12, "Pa"}, law.lame);
  if (table.has("volume")) {
    const std::string word = table.word("volume", {"none", "velocity", "stabilized"});
    law.volume = word == "none"       ? eulerian::VolumeMode::kNone
                 : word == "velocity" ? eulerian::VolumeMode::kVelocity
                                      : eulerian::VolumeMode::kStabilized;
  }
  if (table.has("lame") && law.volume != eulerian::VolumeMode::kNone) {
    table.fail("lame",
               "resists changes of volume where volume = \"none\"; else constraints keep it");
  }
  return law;
}

eulerian::AttachmentSettings read_held(Table table, const Holders& holders) {
  table.allow({"name", "shape", "travel", "motion", "bone", "tendon", "direction"});
  eulerian::AttachmentSettings attachment;
  attachment.name = table.name("name");
  attachment.where = read_shape(table, "shape");
  attachment.motion.shift = read_travel(table, attachment.motion.travel);
  attachment.bone = read_bone(table, holders);
  attachment.tendon = read_tendon(table, holders);
  return attachment;
}

void read_active_shape(const Table& table, eulerian::BodySettings& body) {
  if (table.has("activation") != table.has("active_shape")) {
    table.fail(table.has("activation") ? "activation" : "active_shape",
               "active_shape and activation belong together");
  }
  if (!table.has("active_shape")) return;
  const auto map =
      std::make_shared<const anatomy::ActiveMap>(read_active_map(table, body.shape, true));
  body.active_map = [map](const Vec3d& X) { return anatomy::evaluate(*map, X).place; };
  Table keys = table.table("activation");
  keys.allow({"times", "values", "interpolation"});
  body.activation = read_key_frames(keys, {0, 1});
}

void read_body_shape(const Table& table, const std::vector<eulerian::BodySettings>& above,
                     eulerian::BodySettings& body) {
  const Table shape = table.table("shape");
  body.hollow = shape.text("type") == "soft-tissue";
  body.shape = body.hollow ? read_soft_tissue(shape, above) : read_solid(table, "shape");
}

eulerian::BodySettings read_body(Table table, const std::vector<std::string_view>& grids,
                                 const Holders& holders,
                                 const std::vector<eulerian::BodySettings>& above) {
  table.allow({"name", "shape", "grid", "material", "velocity", "angular_velocity", "attachments",
               "active_shape", "activation", "surface_spacing"});
  eulerian::BodySettings body;
  body.name = table.name("name");
  read_body_shape(table, above, body);
  if (table.has("grid")) {
    body.grid = find_named(table, "grid", table.name("grid"), grids, "grid");
  }
  body.law = read_law(table.table("material"));
  body.velocity = table.vector_or("velocity", kMaxSpeed, "m/s", body.velocity);
  body.angular_velocity =
      table.vector_or("angular_velocity", kMaxSpeed, "rad/s", body.angular_velocity);
  if (table.has("surface_spacing")) body.surface_spacing = table.number("surface_spacing", kLength);
  const std::vector<Table> attachments = table.tables("attachments", kMaxParts);
  for (const Table& t : attachments) body.attachments.push_back(read_held(t, holders));
  check_unique_names(attachments);
  read_active_shape(table, body);
  return body;
}

eulerian::ContactSettings read_contact(Table table, const std::vector<std::string_view>& bodies) {
  table.allow({"body", "other", "obstacle", "patch"});
  eulerian::ContactSettings contact;
  contact.body = find_named(table, "body", table.name("body"), bodies, "body");
  if (table.has("other") == table.has("obstacle")) {
    table.fail(table.has("other") ? "other" : "body",
               "a contact is with another body (other) or with a rigid shape (obstacle)");
  }
  if (table.has("other")) {
    contact.other = find_named(table, "other", table.name("other"), bodies, "body");
    if (*contact.other == contact.body) table.fail("other", "is the body itself");
  } else {
    contact.obstacle = read_solid(table, "obstacle");
  }
  if (table.has("patch")) contact.patch = read_shape(table, "patch");
  return contact;
}

void check_grids_used(const std::vector<Table>& grids,
                      const std::vector<eulerian::BodySettings>& bodies) {
  for (std::size_t g = 0; g < grids.size(); ++g) {
    const bool used =
        std::any_of(bodies.begin(), bodies.end(),
                    [g](const eulerian::BodySettings& body) { return body.grid == g; });
    if (!used) grids[g].fail("name", "no body is on this grid; give one grid = its name");
  }
}

eulerian::StepSettings read_step(const Table& scene) {
  eulerian::StepSettings step;
  auto table = scene.table_if("solver");
  if (!table) return step;
  table->allow({"integrator", "step", "safety", "gamma", "smoothing", "tolerance", "damping"});
  if (table->has("integrator") && table->word("integrator", {"explicit", "implicit"}) == "explicit")
    step.integrator = eulerian::Integrator::kExplicit;
  if (table->has("safety") && step.integrator != eulerian::Integrator::kExplicit)
    table->fail("safety", "is of integrator = \"explicit\"; implicit steps have no critical one");
  const Range part{0, 1, "", true, true};
  step.step = table->number_or("step", {1e-7, 1, "s"}, step.step);
  step.safety = table->number_or("safety", part, step.safety);
  step.gamma = table->number_or("gamma", {0, 1, "", true}, step.gamma);
  step.smoothing = table->number_or("smoothing", {0, 10}, step.smoothing);
  step.tolerance = table->number_or("tolerance", part, step.tolerance);
  step.damping = table->number_or("damping", {0, 1e6, "1/s"}, step.damping);
  return step;
}

}  // namespace

eulerian::Settings read_eulerian(const Table& scene, const Vec3d& gravity,
                                 const std::optional<SkeletonScene>& skeleton) {
  for (const char* key : {"models", "changes"}) {
    if (scene.has(key)) scene.fail(key, "the engine eulerian does not know it");
  }
  const Holders holders = find_holders(skeleton);
  eulerian::Settings settings;
  std::vector<std::string> names;
  const std::vector<Table> grids = scene.tables("grids", kMaxGrids);
  if (grids.empty()) scene.fail("grids", "the engine eulerian needs at least one [[grids]]");
  for (const Table& t : grids) settings.grids.push_back(read_grid(t, holders, names));
  check_unique_names(grids);
  const std::vector<Table> bodies = scene.tables("bodies", kMaxBodies);
  if (bodies.empty()) scene.fail("bodies", "there is nothing to simulate: add [[bodies]]");
  std::vector<std::string_view> body_names;
  for (const Table& t : bodies) {
    settings.bodies.push_back(read_body(t, {names.begin(), names.end()}, holders, settings.bodies));
  }
  check_unique_names(bodies);
  for (const eulerian::BodySettings& b : settings.bodies) body_names.emplace_back(b.name);
  for (const Table& t : scene.tables("contacts", kMaxParts)) {
    settings.contacts.push_back(read_contact(t, body_names));
  }
  check_grids_used(grids, settings.bodies);
  settings.step = read_step(scene);
  settings.world.gravity = gravity;
  settings.world.colliders = read_colliders(scene);
  settings.world.fields = read_fields(scene);
  return settings;
}

}  // namespace sinew::scene
