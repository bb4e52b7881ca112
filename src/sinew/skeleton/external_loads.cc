#include "sinew/skeleton/external_loads.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/find_beside.h"
#include "sinew/skeleton/read_table.h"
#include "sinew/skeleton/xml_file.h"

namespace sinew::skeleton {
namespace {

constexpr FileRules kRules = {std::uintmax_t{16} << 20U, "give the path of an ExternalLoads .xml",
                              "the file cannot be read"};

std::string find_table(const XmlElement& loads, const std::string& path) {
  const std::string named = loads.word("datafile");
  if (named.empty())
    loads.fail("there is no datafile; name the .mot or .sto with the forces' columns");
  std::string found = find_beside(path, named);
  if (!found.empty()) return found;
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

// The columns that go on with just x, y and z behind the identifier; else the three that begin with
// it, in the file's order, as OpenSim has it.
std::array<std::size_t, 3> find_columns(const TimeTable& table, const XmlElement& force,
                                        const std::string& property) {
  std::array<std::size_t, 3> out{kNone, kNone, kNone};
  const std::string identifier = force.word(property);
  if (identifier.empty() || identifier == "Unassigned") return out;
  std::vector<std::size_t> begin, named;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].starts_with(identifier)) begin.push_back(c);
  }
  for (const char axis : {'x', 'y', 'z'}) {
    const auto found = std::ranges::find(table.columns, identifier + axis);
    if (found != table.columns.end())
      named.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  const std::vector<std::size_t>& three = named.size() == 3 ? named : begin;
  if (three.size() != 3) {
    std::vector<std::string_view> names;
    names.reserve(begin.size());
    for (const std::size_t c : begin) names.emplace_back(table.columns[c]);
    force.fail(
        fmt::format("{} is \"{}\"; three columns of the datafile must begin with it, {} do{}",
                    property, printable(identifier), names.size(),
                    names.empty() ? "" : fmt::format(": {}", join_some(names))));
  }
  std::copy(three.begin(), three.end(), out.begin());
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

double largest_force(const ExternalLoads& loads, const std::vector<double>& row) {
  double most = 0;
  for (const ExternalForce& force : loads.forces)
    most = std::max({most, norm(pick(row, force.force)), norm(pick(row, force.torque))});
  return most;
}

// Loads are held over `poses` of the motion: what is said of it, or refused.
std::string judge_held_row(const ExternalLoads& loads, const std::vector<double>& times,
                           std::size_t row, std::size_t poses) {
  constexpr double kNothing = 0.05;  // of the largest force
  double most = 0;
  for (const std::vector<double>& each : loads.table.rows)
    most = std::max(most, largest_force(loads, each));
  const double held = largest_force(loads, loads.table.rows[row]);
  const std::string what = fmt::format(
      "loads are given from {:.6g} to {:.6g} s, the motion from {:.6g} to {:.6g} s: {} poses {} "
      "the table",
      loads.table.times.front(), loads.table.times.back(), times.front(), times.back(), poses,
      row == 0 ? "come before" : "come after");
  if (held <= kNothing * most) return fmt::format("{}: {}", loads.table.file, what);
  throw InputError(
      loads.table.file, "",
      fmt::format("{}, whose {} row has {:.4g} N or N m; cut the motion to the time of "
                  "the loads, or let the table go on",
                  what, row == 0 ? "first" : "last", held));
}

}  // namespace

std::string check_times(const ExternalLoads& loads, const std::vector<double>& times) {
  if (loads.forces.empty() || times.empty()) return "";
  const std::vector<double>& given = loads.table.times;
  const double step =
      times.size() < 2 ? 0 : (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  const double first = given.front() - step * (1 + 1e-9), last = given.back() + step * (1 + 1e-9);
  const auto before =
      static_cast<std::size_t>(std::ranges::count_if(times, [&](double t) { return t < first; }));
  const auto after =
      static_cast<std::size_t>(std::ranges::count_if(times, [&](double t) { return t > last; }));
  if (before + after == times.size())
    throw InputError(loads.table.file, "",
                     fmt::format("loads are given from {:.6g} to {:.6g} s, the motion from {:.6g} "
                                 "to {:.6g} s: no pose has a load; give both the same clock",
                                 given.front(), given.back(), times.front(), times.back()));
  std::string out;
  if (before > 0) out = judge_held_row(loads, times, 0, before);
  if (after > 0) out = judge_held_row(loads, times, given.size() - 1, after);
  return out;
}

ExternalLoads read_external_loads(const Skeleton& skeleton, const std::string& path) {
  const XmlFile file = parse_xml(read_file_bytes(path, "external loads", kRules), path);
  const XmlElement document(file.path, file.root);
  const auto loads = document.find("ExternalLoads");
  if (!loads) document.fail("there is no <ExternalLoads>; is it an external loads file?");
  ExternalLoads out;
  out.table = read_time_table(find_table(*loads, path));
  for (const XmlElement& force : document.objects("ExternalLoads")) {
    const bool off = force.flag("isDisabled", false) || !force.flag("appliesForce", true);
    if (off) continue;
    if (force.tag() != "ExternalForce") {
      force.fail(fmt::format("{} is no ExternalForce; open and save the file in OpenSim 3 or newer",
                             force.label()));
    }
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
