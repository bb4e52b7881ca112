#include "sinew/scene/read_dh_table.h"

#include <vector>

#include "sinew/core/text.h"
#include "sinew/scene/check_units.h"
#include "sinew/scene/read_parts.h"
#include "sinew/scene/read_text.h"
#include "sinew/scene/toml_table.h"
#include "sinew/skeleton/denavit_hartenberg.h"
#include "sinew/skeleton/read_osim.h"

namespace sinew::scene {
namespace {

using skeleton::DhJoint;

constexpr std::size_t kMaxLinks = 256;
constexpr Range kAngle{-36000, 36000, "degrees"};
constexpr Range kShift{-kMaxPosition, kMaxPosition, "units of the table"};

std::array<double, 2> read_range(const Table& table, const char* key, const Range& allowed,
                                 double unit) {
  const std::vector<double> range = table.numbers(key, allowed);
  if (range.size() != 2 || range[0] > range[1])
    table.fail(key, "must be two numbers, the smaller first");
  return {range[0] * unit, range[1] * unit};
}

// `scale`: m a unit of the table.
DhJoint read_link(Table table, double scale) {
  table.allow({"name", "kind", "theta_deg", "d", "a", "alpha_deg", "frozen", "range_deg", "range"});
  DhJoint joint;
  joint.name = table.name("name");
  if (table.has("kind") && table.word("kind", {"revolute", "prismatic"}) == "prismatic")
    joint.kind = DhJoint::Kind::kPrismatic;
  joint.theta = table.number_or("theta_deg", kAngle, 0) * kDegree;
  joint.d = table.number_or("d", kShift, 0) * scale;
  joint.a = table.number_or("a", kShift, 0) * scale;
  joint.alpha = table.number_or("alpha_deg", kAngle, 0) * kDegree;
  joint.frozen = table.boolean_or("frozen", joint.frozen);
  const bool turns = joint.kind == DhJoint::Kind::kRevolute;
  const char* other = turns ? "range" : "range_deg";
  if (table.has(other))
    table.fail(other, turns ? "a revolute joint has range_deg" : "a prismatic joint has range");
  if (turns && table.has("range_deg"))
    joint.range = read_range(table, "range_deg", kAngle, kDegree);
  if (!turns && table.has("range")) joint.range = read_range(table, "range", kShift, scale);
  return joint;
}

skeleton::Frame read_base(const Table& file) {
  skeleton::Frame base = skeleton::kIdentityFrame;
  base.translation = file.vector_or("origin", kMaxPosition, "m", base.translation);
  if (auto table = file.table_if("rotation")) {
    table->allow({"axis", "angle_deg"});
    base.rotation = engine::make_rotation(
        table->direction("axis"), table->number("angle_deg", {-360, 360, "degrees"}) * kDegree);
  }
  return base;
}

}  // namespace

skeleton::Skeleton parse_dh_table(const std::string& text, const std::string& path) {
  const Value document = parse_toml(text, path);
  Table file(path, document, "");
  file.allow({"scale", "origin", "rotation", "links"});
  const double scale = file.number_or("scale", {1e-9, 1e9, "m per unit of the table"}, 1);
  const std::vector<Table> tables = file.tables("links", kMaxLinks);
  if (tables.empty()) file.fail("links", "there is no joint: add [[links]]");
  check_unique_names(tables);
  std::vector<DhJoint> joints;
  joints.reserve(tables.size());
  for (const Table& table : tables) joints.push_back(read_link(table, scale));
  skeleton::Skeleton skeleton = make_dh_skeleton(joints, read_base(file), path);
  ask_for_scale(file, "links", measure_skeleton(skeleton));
  return skeleton;
}

skeleton::Skeleton read_dh_table(const std::string& path) {
  return parse_dh_table(read_text(path, "table"), path);
}

bool is_dh_table(const std::string& path) {
  const Value document = parse_toml(read_text(path, "scene or table"), path);
  return Table(path, document, "").has("links");
}

skeleton::Skeleton read_skeleton_file(const std::string& path) {
  return to_lower(path).ends_with(".toml") ? read_dh_table(path) : skeleton::read_osim(path);
}

}  // namespace sinew::scene
