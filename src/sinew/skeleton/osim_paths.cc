// Paths of the muscles of .osim files: points and wraps.
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

// A moving point gives its place in a frame by functions, which no turned frame can carry on: a
// body of no mass, welded there, takes the frame's place.
std::size_t weld_body(Osim& osim, const BodyFrame& place, const std::string& name) {
  Body body;
  body.name = fmt::format("{}_frame", name);
  body.parent = place.body;
  body.joint.name = body.name;
  body.joint.type = "WeldJoint";
  body.joint.parent_frame = place.frame;
  osim.skeleton.bodies.push_back(body);
  return osim.skeleton.bodies.size() - 1;
}

bool is_identity(const Frame& frame) {
  return frame.rotation.columns == Mat3d::identity().columns && frame.translation == Vec3d{0, 0, 0};
}

void read_moving(Osim& osim, const XmlElement& element, PathPoint& point) {
  MovingPoint rule;
  constexpr std::string_view kAxes[] = {"x", "y", "z"}, kOlderAxes[] = {"X", "Y", "Z"};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string property = fmt::format("{}_coordinate", kAxes[k]);
    const std::string coordinate = find_socket(element, property, property);
    const std::string older = fmt::format("{}Attachment", kOlderAxes[k]);
    const std::string place =
        has_function(element, older) ? older : fmt::format("{}_location", kAxes[k]);
    rule.functions[k] = read_function(osim, element, place, element.name());
    if (!coordinate.empty()) {
      rule.coordinates[k] = find_coordinate_index(osim, coordinate, element);
    } else if (rule.functions[k].kind != Function::Kind::kConstant) {
      element.fail(fmt::format("{} has no <{}>", element.label(), property));
    }
  }
  point.rule = rule;
}

PathPoint read_point(Osim& osim, const XmlElement& element) {
  PathPoint point;
  point.name = element.name();
  const BodyFrame place = find_body_frame(osim, element, "parent_frame", "body", "");
  point.body = place.body;
  // Names of version 1.9 are read as those of today.
  if (element.tag() == "MovingPathPoint" || element.tag() == "MovingMusclePoint") {
    read_moving(osim, element, point);
    if (!is_identity(place.frame)) point.body = weld_body(osim, place, point.name);
    return point;
  }
  point.location = apply(place.frame, element.vector("location", {0, 0, 0}));
  if (element.tag() == "ConditionalPathPoint" || element.tag() == "MuscleViaPoint") {
    ConditionalPoint rule;
    rule.coordinate =
        find_coordinate_index(osim, find_socket(element, "coordinate", "coordinate"), element);
    const std::vector<double> range = element.range("range");
    rule.range = {range[0], range[1]};
    point.rule = rule;
  } else if (element.tag() != "PathPoint" && element.tag() != "MusclePoint") {
    element.fail(
        fmt::format("{} is no point of a path; allowed: PathPoint, ConditionalPathPoint, "
                    "MovingPathPoint",
                    element.label()));
  }
  return point;
}

PathWrap::Method read_method(const XmlElement& element) {
  const std::string word = to_lower(element.word("method"));
  if (word.empty() || word == "hybrid" || word == "unassigned") return PathWrap::Method::kHybrid;
  if (word == "midpoint") return PathWrap::Method::kMidpoint;
  if (word == "axial") return PathWrap::Method::kAxial;
  element.fail(fmt::format("the method of {} is \"{}\"; allowed: hybrid, midpoint, axial",
                           element.label(), printable(word)));
}

int read_range_end(const XmlElement& element, double value, std::size_t num_points) {
  if (value != std::floor(value) || value > static_cast<double>(num_points)) {
    element.fail(
        fmt::format("the range of {} names the point {}; the path has {}, and -1 means "
                    "its end",
                    element.label(), value, num_points));
  }
  return value < 1 ? -1 : static_cast<int>(value);
}

void add_wrap(Osim& osim, const XmlElement& element, const XmlElement& muscle, Path& path) {
  const std::string name = element.word("wrap_object");
  const auto found = osim.wrap_objects.find(name);
  if (found == osim.wrap_objects.end()) {
    std::vector<std::string_view> known;
    known.reserve(osim.wrap_objects.size());
    for (const auto& wrap : osim.wrap_objects) known.emplace_back(wrap.first);
    element.fail(fmt::format("{} of {} refers to the wrap object \"{}\", which does not exist{}",
                             element.label(), muscle.label(), printable(name),
                             did_you_mean(name, known)));
  }
  if (found->second == kNone) return;  // noted where it was read
  PathWrap wrap;
  wrap.object = found->second;
  wrap.method = read_method(element);
  if (element.has("range")) {
    const std::vector<double> range = element.numbers("range", 2);
    for (std::size_t k = 0; k < 2; ++k) {
      wrap.range[k] = read_range_end(element, range[k], path.points.size());
    }
  }
  path.wraps.push_back(wrap);
}

}  // namespace

std::optional<XmlElement> find_path(const XmlElement& force) {
  const auto wrapper = force.find("path");
  if (wrapper && wrapper->find("GeometryPath")) return wrapper->find("GeometryPath");
  if (const auto path = force.find("GeometryPath")) return path;
  return force.find("MusclePointSet") ? std::optional(force) : std::nullopt;
}

Path read_path(Osim& osim, const XmlElement& muscle, const XmlElement& geometry_path) {
  Path path;
  const bool is_newer = geometry_path.find("PathPointSet").has_value();
  for (const XmlElement& point :
       geometry_path.objects(is_newer ? "PathPointSet" : "MusclePointSet")) {
    path.points.push_back(read_point(osim, point));
  }
  if (path.points.size() < 2) {
    geometry_path.fail(fmt::format("the path of {} has {} points; at least 2 are needed",
                                   muscle.label(), path.points.size()));
  }
  for (const std::string_view set : {"PathWrapSet", "MuscleWrapSet"}) {
    for (const XmlElement& wrap : geometry_path.objects(set)) add_wrap(osim, wrap, muscle, path);
  }
  return path;
}

}  // namespace sinew::skeleton
