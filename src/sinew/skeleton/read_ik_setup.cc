#include "sinew/skeleton/read_ik_setup.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "sinew/core/file_bytes.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/find_beside.h"
#include "sinew/skeleton/xml_file.h"

namespace sinew::skeleton {
namespace {

constexpr FileRules kRules = {std::uintmax_t{16} << 20U, "give the path of a setup .xml file",
                              "the file cannot be read"};

double read_weight(const XmlElement& task) {
  const double weight = task.flag("apply", true) ? task.number("weight", 1) : 0;
  if (!(weight >= 0) || !std::isfinite(weight))
    task.fail(fmt::format("{} has the weight {}; weights are 0 or more", task.label(), weight));
  return weight;
}

// Values of turns are degrees in these files.
void read_coordinate_task(const XmlElement& task, const Skeleton& skeleton, IkSettings& settings) {
  const double weight = read_weight(task);
  if (weight == 0) return;
  const std::size_t c = find_coordinate(skeleton, task.name());
  if (c == kNone) task.fail(fmt::format("{} names no coordinate of the model", task.label()));
  const Coordinate& coordinate = skeleton.coordinates[c];
  const std::string kind = task.has("value_type") ? task.word("value_type") : "default_value";
  double value = coordinate.rest;
  if (kind == "manual_value")
    value = task.number("value") * (coordinate.rotational ? std::numbers::pi / 180 : 1);
  else if (kind != "default_value")
    task.fail(fmt::format("{} takes its value by \"{}\"; known are default_value and manual_value",
                          task.label(), printable(kind)));
  settings.coordinate_goals.push_back({c, value, weight});
}

void add_tasks(const std::vector<XmlElement>& tasks, const Skeleton& skeleton,
               IkSettings& settings) {
  settings.other_weight = tasks.empty() ? 1 : 0;
  for (const XmlElement& task : tasks) {
    if (task.tag() == "IKMarkerTask")
      settings.weights[task.name()] = read_weight(task);
    else if (task.tag() == "IKCoordinateTask")
      read_coordinate_task(task, skeleton, settings);
    else
      task.fail(fmt::format("{} is neither IKMarkerTask nor IKCoordinateTask", task.label()));
  }
}

// The tasks stand in the setup file, or in one that it names.
void read_tasks(const XmlElement& tool, const std::string& path, const Skeleton& skeleton,
                IkSettings& settings) {
  const auto set = tool.find("IKTaskSet");
  if (!set || set->attribute("file").empty() || to_lower(set->attribute("file")) == "unassigned") {
    add_tasks(tool.objects("IKTaskSet"), skeleton, settings);
    return;
  }
  const std::string named = find_beside(path, set->attribute("file"));
  if (named.empty())
    set->fail(fmt::format("the tasks' file {} is neither there nor beside this file; put it there",
                          printable(last_part(set->attribute("file")))));
  const XmlFile file = parse_xml(read_file_bytes(named, "task file", kRules), named);
  const XmlElement root(file.path, file.root);
  const bool is_set = root.tag() == "IKTaskSet";
  if (!is_set && !root.find("IKTaskSet")) root.fail("there is no <IKTaskSet>");
  const auto members = is_set ? root.find("objects") : std::nullopt;
  add_tasks(is_set ? (members ? members->children() : std::vector<XmlElement>())
                   : root.objects("IKTaskSet"),
            skeleton, settings);
}

// The tool's element, in a document or the root itself. Versions 2 and 3 of OpenSim misspell it;
// before, it is an IKTool.
std::optional<XmlElement> find_tool(const XmlElement& root) {
  for (const std::string_view tag : {"InverseKinematicsTool", "InverseKinemtaticsTool", "IKTool"}) {
    if (root.tag() == tag) return root;
    if (const auto tool = root.find(tag)) return tool;
  }
  return std::nullopt;
}

// An IKTool keeps the times in its trials, of which OpenSim takes the first.
XmlElement find_trial(const XmlElement& tool) {
  const std::vector<XmlElement> trials = tool.objects("IKTrialSet");
  return trials.empty() ? tool : trials.front();
}

}  // namespace

IkSettings parse_ik_setup(const std::string& text, const std::string& path,
                          const Skeleton& skeleton) {
  const XmlFile file = parse_xml(text, path);
  const XmlElement root(file.path, file.root);
  const auto tool = find_tool(root);
  if (!tool) root.fail("there is no InverseKinematicsTool; is it a setup file of another tool?");
  IkSettings settings;
  read_tasks(*tool, path, skeleton, settings);
  settings.accuracy = tool->number("accuracy", settings.accuracy);
  if (!(settings.accuracy > 0))
    tool->fail(fmt::format("accuracy {}; it must be above 0", settings.accuracy));
  // Ours is the size of a step, not that of an optimum's slope: never coarser than the default.
  settings.accuracy = std::min(settings.accuracy, IkSettings{}.accuracy);
  const XmlElement trial = find_trial(*tool);
  if (trial.has("time_range")) {
    const std::vector<double> range = trial.range("time_range");
    settings.time_range = {range[0], range[1]};
  }
  return settings;
}

IkSettings read_ik_setup(const std::string& path, const Skeleton& skeleton) {
  return parse_ik_setup(read_file_bytes(path, "setup file", kRules), path, skeleton);
}

}  // namespace sinew::skeleton
