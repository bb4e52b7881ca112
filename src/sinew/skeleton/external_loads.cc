#include "sinew/skeleton/external_loads.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sinew/core/file_bytes.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/read_table.h"
#include "sinew/skeleton/xml_file.h"

namespace sinew::skeleton {
namespace {

constexpr FileRules kRules = {std::uintmax_t{16} << 20U, "give the path of an ExternalLoads .xml",
                              "the file cannot be read"};

// The last part of a path of this or another machine, or of a component.
std::string last_part(const std::string& path) {
  const std::size_t at = path.find_last_of("/\\");
  return at == std::string::npos ? path : path.substr(at + 1);
}

std::string find_table(const XmlElement& loads, const std::string& path) {
  const std::string named = loads.word("datafile");
  if (named.empty())
    loads.fail("there is no datafile; name the .mot or .sto with the forces' columns");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const auto& one :
       {std::filesystem::path(named), folder / named, folder / last_part(named)}) {
    std::error_code none;
    if (std::filesystem::is_regular_file(one, none)) return one.string();
  }
  loads.fail(fmt::format("the datafile {} is neither there nor beside this file; put it there",
                         printable(last_part(named))));
}

std::size_t find_named_body(const Skeleton& skeleton, const XmlElement& force,
                            const std::string& property) {
  const std::string name = last_part(force.word(property));
  if (name.empty() && property != "applied_to_body") return kGround;
  const std::size_t body = find_body(skeleton, name);
  if (body == kNone)
    force.fail(fmt::format("{} is \"{}\", which is no body of the model {}", property,
                           printable(name), printable(skeleton.name)));
  return body;
}

// Columns are the identifier with x, y, z behind it.
std::array<std::size_t, 3> find_columns(const TimeTable& table, const XmlElement& force,
                                        const std::string& property) {
  std::array<std::size_t, 3> out{kNone, kNone, kNone};
  const std::string identifier = force.word(property);
  if (identifier.empty() || identifier == "Unassigned") return out;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string column = fmt::format("{}{}", identifier, "xyz"[k]);
    const auto found = std::find(table.columns.begin(), table.columns.end(), column);
    if (found == table.columns.end())
      force.fail(fmt::format("{} asks for a column {} that the datafile does not have", property,
                             printable(column)));
    out[k] = static_cast<std::size_t>(found - table.columns.begin());
  }
  return out;
}

ExternalForce make_force(const Skeleton& skeleton, const TimeTable& table,
                         const XmlElement& force) {
  ExternalForce out;
  out.name = force.name();
  out.body = find_named_body(skeleton, force, "applied_to_body");
  out.force_frame = find_named_body(skeleton, force, "force_expressed_in_body");
  out.point_frame = find_named_body(skeleton, force, "point_expressed_in_body");
  out.force = find_columns(table, force, "force_identifier");
  out.point = find_columns(table, force, "point_identifier");
  out.torque = find_columns(table, force, "torque_identifier");
  if (out.force[0] != kNone && out.point[0] == kNone) out.point_frame = out.body;  // its origin
  return out;
}

std::vector<double> row_at(const TimeTable& table, double time) {
  const auto after = std::upper_bound(table.times.begin(), table.times.end(), time);
  if (after == table.times.begin()) return table.rows.front();
  if (after == table.times.end()) return table.rows.back();
  const auto i = static_cast<std::size_t>(after - table.times.begin());
  const double part = (time - table.times[i - 1]) / (table.times[i] - table.times[i - 1]);
  std::vector<double> out = table.rows[i - 1];
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += part * (table.rows[i][k] - out[k]);
  return out;
}

Vec3d pick(const std::vector<double>& row, const std::array<std::size_t, 3>& columns) {
  if (columns[0] == kNone) return {0, 0, 0};
  return {row[columns[0]], row[columns[1]], row[columns[2]]};
}

}  // namespace

ExternalLoads read_external_loads(const Skeleton& skeleton, const std::string& path) {
  const XmlFile file = parse_xml(read_file_bytes(path, "external loads", kRules), path);
  const XmlElement document(file.path, file.root);
  const auto loads = document.find("ExternalLoads");
  if (!loads) document.fail("there is no <ExternalLoads>; is it an external loads file?");
  ExternalLoads out;
  out.table = read_time_table(find_table(*loads, path));
  for (const XmlElement& force : document.objects("ExternalLoads")) {
    const bool off = force.flag("isDisabled", false) || !force.flag("appliesForce", true);
    if (force.tag() == "ExternalForce" && !off)
      out.forces.push_back(make_force(skeleton, out.table, force));
  }
  return out;
}

std::vector<std::vector<Load>> compute_loads(const Skeleton& skeleton, const ExternalLoads& loads,
                                             const SmoothMotion& motion) {
  std::vector<std::vector<Load>> out(motion.times.size());
  Kinematics kinematics;
  for (std::size_t i = 0; i < out.size(); ++i) {
    evaluate_kinematics(skeleton, motion.q[i], kinematics);
    const std::vector<double> row = row_at(loads.table, motion.times[i]);
    out[i].reserve(loads.forces.size());
    for (const ExternalForce& force : loads.forces) {
      const Mat3d& turn = kinematics.bodies[force.force_frame].rotation;
      const Vec3d place = apply(kinematics.bodies[force.point_frame], pick(row, force.point));
      out[i].push_back({force.body, apply_inverse(kinematics.bodies[force.body], place),
                        turn * pick(row, force.force), turn * pick(row, force.torque)});
    }
  }
  return out;
}

}  // namespace sinew::skeleton
