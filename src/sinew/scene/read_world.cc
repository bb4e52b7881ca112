#include <set>

#include <fmt/format.h>

#include "sinew/scene/read_parts.h"

namespace sinew::scene {
namespace {

constexpr std::size_t kMaxEntries = 256;

engine::Collider read_collider(Table table) {
  table.allow({"name", "shape", "friction", "travel", "motion"});
  engine::Collider collider;
  collider.name = table.name("name");
  collider.shape = read_shape(table, "shape");
  collider.friction = table.number_or("friction", {0, 10}, collider.friction);
  collider.motion = read_travel(table, collider.travel);
  return collider;
}

engine::ForceField read_field(Table table) {
  engine::ForceField field;
  const std::string type = table.word("type", {"uniform", "point", "wind", "plane"});
  if (type == "uniform") {
    table.allow({"name", "type", "acceleration", "strength"});
    field.form = engine::UniformField{table.vector("acceleration", kMaxAcceleration, "m/s^2")};
  } else if (type == "point") {
    table.allow({"name", "type", "center", "radius", "acceleration", "strength"});
    field.form = engine::PointField{
        table.vector("center", kMaxPosition, "m"), table.number("radius", kLength),
        table.number("acceleration", {-kMaxAcceleration, kMaxAcceleration, "m/s^2"})};
  } else if (type == "plane") {
    table.allow({"name", "type", "point", "normal", "width", "acceleration", "strength"});
    field.form = engine::PlaneField{
        table.vector("point", kMaxPosition, "m"), table.direction("normal"),
        table.number("width", kLength),
        table.number("acceleration", {-kMaxAcceleration, kMaxAcceleration, "m/s^2"})};
  } else {
    table.allow({"name", "type", "velocity", "rate", "strength"});
    field.form = engine::WindField{table.vector("velocity", kMaxSpeed, "m/s"),
                                   table.number("rate", {0, 1e6, "1/s"})};
  }
  field.name = table.name("name");
  if (auto strength = table.table_if("strength")) {
    strength->allow({"times", "values", "interpolation"});
    // A negative factor would make of a wind an engine without limit.
    field.strength = read_key_frames(*strength, {type == "wind" ? 0.0 : -1e6, 1e6});
  }
  return field;
}

engine::Interpolation read_interpolation(const Table& table) {
  if (!table.has("interpolation")) return engine::Interpolation::kLinear;
  const std::string word = table.word("interpolation", {"linear", "smooth", "logarithmic"});
  if (word == "linear") return engine::Interpolation::kLinear;
  return word == "smooth" ? engine::Interpolation::kSmooth : engine::Interpolation::kLogarithmic;
}

}  // namespace

std::optional<engine::KeyFrames> read_travel(const Table& table, Vec3d& travel) {
  if (table.has("travel") != table.has("motion")) {
    table.fail(table.has("travel") ? "travel" : "motion",
               "travel and motion are needed together: where to, and when");
  }
  auto motion = table.table_if("motion");
  if (!motion) return {};
  travel = table.vector("travel", kMaxPosition, "m");
  motion->allow({"times", "values", "interpolation"});
  return read_key_frames(*motion, {-1e6, 1e6});
}

std::vector<double> read_times(const Table& table, std::size_t count, std::string_view values) {
  std::vector<double> times = table.numbers("times", {-1e6, 1e6, "s"});
  if (times.size() != count) {
    table.fail(values, fmt::format("there are {} values for {} times; each time needs one", count,
                                   times.size()));
  }
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) continue;
    table.fail("times",
               fmt::format("times must increase; {} s stands after {} s", times[i], times[i - 1]));
  }
  return times;
}

engine::KeyFrames read_key_frames(const Table& table, const Range& range, std::string_view values) {
  engine::KeyFrames keys;
  keys.interpolation = read_interpolation(table);
  keys.values = table.numbers(values, range);
  keys.times = read_times(table, keys.values.size(), values);
  for (const double value : keys.values) {
    if (value > 0 || keys.interpolation != engine::Interpolation::kLogarithmic) continue;
    table.fail(
        values,
        fmt::format("{} has no logarithm; logarithmic interpolation needs values above 0", value));
  }
  return keys;
}

std::vector<engine::Collider> read_colliders(const Table& scene) {
  const std::vector<Table> tables = scene.tables("colliders", kMaxEntries);
  std::vector<engine::Collider> colliders;
  colliders.reserve(tables.size());
  for (const Table& table : tables) colliders.push_back(read_collider(table));
  check_unique_names(tables);
  return colliders;
}

std::vector<engine::ForceField> read_fields(const Table& scene) {
  const std::vector<Table> tables = scene.tables("fields", kMaxEntries);
  std::vector<engine::ForceField> fields;
  fields.reserve(tables.size());
  for (const Table& table : tables) fields.push_back(read_field(table));
  check_unique_names(tables);
  return fields;
}

void check_unique_names(const std::vector<Table>& tables) {
  std::set<std::string> names;
  for (const Table& table : tables) {
    const std::string name = table.name("name");
    if (names.insert(name).second) continue;
    table.fail("name", fmt::format("the name \"{}\" stands twice; each needs its own", name));
  }
}

}  // namespace sinew::scene
