// Bodies of a scene with engine = "brick".

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/brick/box_surface.h"
#include "sinew/brick/wrap_mesh.h"
#include "sinew/core/error.h"
#include "sinew/mesh/isosurface.h"
#include "sinew/scene/find_named.h"
#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxBodies = 64;
constexpr std::size_t kMaxParts = 64;
constexpr int kMaxBricks = 64;  // along an axis

std::array<int, 3> read_counts(const Table& table) {
  const std::vector<int> counts = table.integers("bricks", 1, kMaxBricks);
  if (counts.size() != 3) {
    table.fail("bricks", fmt::format("found {} numbers; allowed: three, how many bricks across, "
                                     "across and along",
                                     counts.size()));
  }
  if (static_cast<long>(counts[0]) * counts[1] * counts[2] > 4096) {
    table.fail("bricks", "are more than 4096; modes of so many take minutes");
  }
  return {counts[0], counts[1], counts[2]};
}

// A box is cut into bricks as it is; every other shape is wrapped.
void read_box(const mesh::Box& box, const std::array<int, 3>& counts, brick::BodySettings& body) {
  const auto place = [&box](const Vec3d& p) {
    return box.center + box.rotation * Vec3d{0.5 * p.x * box.size.x, 0.5 * p.y * box.size.y,
                                             0.5 * p.z * box.size.z};
  };
  body.mesh = brick::make_mapped_mesh(counts, true, place);
  body.surface = brick::make_box_surface(place, 10);
}

void read_wrapped(const Table& table, const mesh::Shape& shape, const std::array<int, 3>& counts,
                  brick::BodySettings& body) {
  const mesh::Bounds bounds = mesh::compute_bounds(shape);
  const double size = norm(bounds.high - bounds.low);
  const double spacing = table.number_or("spacing", {size * 1e-3, size, "m"}, size / 60);
  body.surface = mesh::make_isosurface(shape, spacing);
  brick::WrapSettings wrap;
  wrap.counts = counts;
  wrap.axis = table.direction_or("axis", {0, 0, 0});
  if (table.has("levels")) {
    wrap.levels = table.numbers("levels", {0, 1});
    const bool rising = std::is_sorted(wrap.levels.begin(), wrap.levels.end(), std::less_equal<>());
    if (static_cast<int>(wrap.levels.size()) != counts[2] + 1 || !rising ||
        wrap.levels.front() != 0 || wrap.levels.back() != 1) {
      table.fail("levels",
                 fmt::format("must be {} numbers that increase from 0 to 1", counts[2] + 1));
    }
  }
  try {
    body.mesh = brick::wrap_surface(body.surface, wrap);
  } catch (const std::invalid_argument& e) {
    table.fail("bricks", e.what());
  }
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
  if (auto excitation = table.table_if("excitation")) {
    excitation->allow({"times", "values", "interpolation"});
    muscle.excitation = read_key_frames(*excitation, {0, 1});
  }
  if (table.has("rise_time") || table.has("fall_time")) {
    const Range seconds{1e-4, 10, "s"};
    material::ActivationDynamics dynamics;
    dynamics.rise_time = table.number_or("rise_time", seconds, dynamics.rise_time);
    dynamics.fall_time = table.number_or("fall_time", seconds, dynamics.fall_time);
    muscle.dynamics = dynamics;
  }
  return muscle;
}

// Nodes of the mesh in the shape that `table` gives.
std::vector<std::uint32_t> read_nodes(const Table& table, const brick::BodySettings& body) {
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

std::optional<std::size_t> read_bone(const Table& table, const std::vector<std::string>& bones) {
  if (!table.has("bone")) return {};
  return find_named(table, "bone", table.name("bone"), {bones.begin(), bones.end()},
                    "body of a [skeleton]");
}

brick::TendonSettings read_tendon(Table table, const std::vector<std::string>& bones,
                                  const brick::BodySettings& body) {
  table.allow({"name", "shape", "to", "offset", "slack", "max_force", "damping", "travel", "motion",
               "turn", "bone"});
  brick::TendonSettings tendon;
  tendon.name = table.name("name");
  tendon.nodes = read_nodes(table, body);
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
  tendon.bone = read_bone(table, bones);
  return tendon;
}

brick::TieSettings read_tie(Table table, const std::vector<std::string>& bones,
                            const brick::BodySettings& body) {
  table.allow({"name", "shape", "compliance", "travel", "motion", "turn", "bone"});
  brick::TieSettings tie;
  tie.name = table.name("name");
  tie.nodes = read_nodes(table, body);
  tie.compliance = table.number_or("compliance", {0, 1e6, "m/N"}, tie.compliance);
  tie.motion = read_rigid_motion(table);
  tie.bone = read_bone(table, bones);
  return tie;
}

brick::BodySettings read_body(Table table, const std::vector<std::string>& bones) {
  table.allow({"name", "shape", "bricks", "axis", "levels", "spacing", "modes", "material",
               "muscle", "tendons", "ties", "velocity", "angular_velocity"});
  brick::BodySettings body;
  body.name = table.name("name");
  const mesh::Shape shape = read_solid(table, "shape");
  const std::array<int, 3> counts = read_counts(table);
  if (const auto* box = std::get_if<mesh::Box>(&shape.form)) {
    read_box(*box, counts, body);
  } else {
    read_wrapped(table, shape, counts, body);
  }
  body.modes = static_cast<std::size_t>(table.integer_or("modes", 1, 100000, 0));
  if (!table.has("modes")) body.modes = 0;
  body.materials = {read_material(table.table("material"))};
  body.velocity = table.vector_or("velocity", kMaxSpeed, "m/s", body.velocity);
  body.angular_velocity =
      table.vector_or("angular_velocity", kMaxSpeed, "rad/s", body.angular_velocity);
  if (auto muscle = table.table_if("muscle")) body.muscle = read_muscle(*muscle);
  const std::vector<Table> tendons = table.tables("tendons", kMaxParts);
  for (const Table& t : tendons) body.tendons.push_back(read_tendon(t, bones, body));
  check_unique_names(tendons);
  const std::vector<Table> ties = table.tables("ties", kMaxParts);
  for (const Table& t : ties) body.ties.push_back(read_tie(t, bones, body));
  check_unique_names(ties);
  return body;
}

}  // namespace

brick::Settings read_brick(const Table& scene, const std::vector<std::string>& bones) {
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
  for (const Table& table : tables) settings.bodies.push_back(read_body(table, bones));
  check_unique_names(tables);
  return settings;
}

}  // namespace sinew::scene
