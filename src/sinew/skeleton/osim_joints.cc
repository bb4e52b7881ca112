// Joints of .osim files and their coordinates.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"
#include "sinew/volume/text_header.h"

namespace sinew::skeleton {
namespace {

constexpr Vec3d kX{1, 0, 0}, kY{0, 1, 0}, kZ{0, 0, 1};
constexpr std::size_t kShift = 3;  // the first of the axes that shift

// Which axes of Joint::axes the coordinates of a simple joint turn about or shift along.
struct SimpleAxis {
  std::size_t slot;
  Vec3d axis;
};
struct SimpleJoint {
  std::string_view tag;
  std::vector<SimpleAxis> axes;
};

const std::vector<SimpleJoint>& simple_joints() {
  static const std::vector<SimpleJoint> kJoints = {
      {"WeldJoint", {}},
      {"PinJoint", {{0, kZ}}},
      {"SliderJoint", {{3, kX}}},
      {"UniversalJoint", {{0, kX}, {1, kY}}},
      {"BallJoint", {{0, kX}, {1, kY}, {2, kZ}}},
      {"GimbalJoint", {{0, kX}, {1, kY}, {2, kZ}}},
      {"PlanarJoint", {{0, kZ}, {3, kX}, {4, kY}}},
      {"FreeJoint", {{0, kX}, {1, kY}, {2, kZ}, {3, kX}, {4, kY}, {5, kZ}}},
  };
  return kJoints;
}

std::vector<XmlElement> list_coordinates(const XmlElement& joint) {
  std::vector<XmlElement> all = joint.objects("CoordinateSet");
  if (const auto list = joint.find("coordinates")) {
    for (const XmlElement& child : list->children()) all.push_back(child);
  }
  std::erase_if(all, [](const XmlElement& e) { return e.tag() != "Coordinate"; });
  return all;
}

Coordinate read_coordinate(Osim& osim, const XmlElement& element) {
  Coordinate out;
  out.name = element.name();
  if (out.name.empty()) element.fail("a Coordinate has no name");
  out.rest = element.number("default_value", 0);
  if (element.has("range")) {
    const std::vector<double> range = element.range("range");
    out.range = {range[0], range[1]};
  }
  out.clamped = element.flag("clamped", false);
  out.locked = element.flag("locked", false);
  if (element.flag("prescribed", false)) {
    osim.note("prescribed_function", out.name, "the coordinate is free; give it by a motion");
  }
  return out;
}

void add_coordinate(Osim& osim, Joint& joint, Coordinate coordinate, const XmlElement& where) {
  const std::size_t index = osim.skeleton.coordinates.size();
  if (!osim.coordinates.emplace(coordinate.name, index).second) {
    where.fail(fmt::format("the coordinate \"{}\" is there twice; names must differ",
                           printable(coordinate.name)));
  }
  joint.coordinates.push_back(index);
  osim.skeleton.coordinates.push_back(std::move(coordinate));
}

// Adds the file's coordinates and, as OpenSim does, those that it leaves out.
void add_coordinates(Osim& osim, Joint& joint, const XmlElement& element, std::size_t body,
                     std::size_t count) {
  const std::vector<XmlElement> found = list_coordinates(element);
  if (found.size() > count) {
    element.fail(fmt::format("{} has {} coordinates; a {} has {}", element.label(), found.size(),
                             joint.type, count));
  }
  for (const XmlElement& one : found) add_coordinate(osim, joint, read_coordinate(osim, one), one);
  for (std::size_t i = found.size(); i < count; ++i) {
    Coordinate missing;
    missing.name = fmt::format("{}_coord_{}", joint.name, i);
    add_coordinate(osim, joint, missing, element);
  }
  for (const std::size_t index : joint.coordinates) osim.skeleton.coordinates[index].body = body;
}

void read_simple(Osim& osim, const SimpleJoint& simple, Joint& joint, const XmlElement& element,
                 std::size_t body) {
  add_coordinates(osim, joint, element, body, simple.axes.size());
  for (std::size_t i = 0; i < simple.axes.size(); ++i) {
    const auto [slot, axis] = simple.axes[i];
    joint.axes[slot] = {axis, joint.coordinates[i], make_line(1, 0)};
    osim.skeleton.coordinates[joint.coordinates[i]].rotational = slot < kShift;
  }
}

// The axis' place by its name; by its order where it has none.
std::size_t axis_slot(const XmlElement& axis, std::size_t order) {
  constexpr std::string_view kNames[] = {"rotation1",    "rotation2",    "rotation3",
                                         "translation1", "translation2", "translation3"};
  const std::string name = axis.name();
  const auto found = std::ranges::find(kNames, name);
  if (found != std::end(kNames)) return static_cast<std::size_t>(found - std::begin(kNames));
  if (!name.empty() || order >= 6) {
    axis.fail(fmt::format("{} is no axis; allowed: {}", axis.label(), join(kNames)));
  }
  return order;
}

std::size_t axis_coordinate(const Osim& osim, const Joint& joint, const XmlElement& axis) {
  const std::string text = axis.word(axis.has("coordinates") ? "coordinates" : "coordinate");
  const std::vector<std::string_view> names = volume::split_words(text);
  if (names.empty()) return kNone;
  if (names.size() > 1) {
    axis.fail(fmt::format("{} of {} follows {} coordinates; at most one is allowed", axis.label(),
                          printable(joint.name), names.size()));
  }
  const std::size_t index = find_coordinate_index(osim, std::string(names[0]), axis);
  if (std::ranges::find(joint.coordinates, index) == joint.coordinates.end()) {
    axis.fail(fmt::format("{} follows the coordinate \"{}\", which is another joint's than {}'s",
                          axis.label(), printable(names[0]), printable(joint.name)));
  }
  return index;
}

void read_axis(Osim& osim, Joint& joint, const XmlElement& element, std::size_t slot) {
  constexpr std::array<Vec3d, 3> kDefaults = {kX, kY, kZ};
  TransformAxis& out = joint.axes[slot];
  const Vec3d axis = element.vector("axis", kDefaults[slot % 3]);
  const double length = norm(axis);
  if (!(length > 1e-12)) element.fail(fmt::format("the axis of {} is zero", element.label()));
  out.axis = axis / length;
  out.coordinate = axis_coordinate(osim, joint, element);
  // Without a function OpenSim takes the coordinate itself.
  out.function = has_function(element, "function")
                     ? read_function(osim, element, "function",
                                     fmt::format("{} of {}", element.name(), joint.name))
                 : out.coordinate == kNone ? make_constant(0)
                                           : make_line(1, 0);
}

// A coordinate is an angle where an axis turns by just its value, or where none shifts with it.
bool turns(const Joint& joint, std::size_t coordinate) {
  bool shifts = false;
  for (std::size_t k = 0; k < joint.axes.size(); ++k) {
    const TransformAxis& axis = joint.axes[k];
    if (axis.coordinate != coordinate) continue;
    const bool is_line =
        axis.function.kind == Function::Kind::kPolynomial && axis.function.coefficients.size() == 2;
    if (k < kShift && is_line) return true;
    shifts = shifts || (k >= kShift && axis.function.kind != Function::Kind::kConstant);
  }
  return !shifts;
}

// OpenSim's default transform has no coordinate: nothing moves.
void hold_still(Osim& osim, const Joint& joint) {
  osim.note("CustomJoint", joint.name,
            "it has no SpatialTransform; its bodies do not move against each other");
  for (const std::size_t index : joint.coordinates) osim.skeleton.coordinates[index].locked = true;
}

// Version 1.9.0: axes in any order, of which each says whether it turns.
void read_axis_set(Osim& osim, Joint& joint, const XmlElement& element) {
  std::size_t turns = 0, shifts = 0;
  for (const XmlElement& axis : element.objects("TransformAxisSet")) {
    if (axis.tag() != "TransformAxis") continue;
    const bool turns_here = axis.flag("is_rotation", false);
    std::size_t& count = turns_here ? turns : shifts;
    if (count == kShift) {
      axis.fail(fmt::format("{} is the fourth axis of {} that {}; at most three do", axis.label(),
                            printable(joint.name), turns_here ? "turns" : "shifts"));
    }
    read_axis(osim, joint, axis, count + (turns_here ? 0 : kShift));
    ++count;
  }
}

void read_spatial_transform(Osim& osim, Joint& joint, const XmlElement& transform) {
  std::array<bool, 6> seen{};
  std::size_t order = 0;
  for (const XmlElement& axis : transform.children()) {
    if (axis.tag() != "TransformAxis") continue;
    const std::size_t slot = axis_slot(axis, order++);
    if (seen[slot]) axis.fail(fmt::format("{} is there twice", axis.label()));
    seen[slot] = true;
    read_axis(osim, joint, axis, slot);
  }
}

void read_custom(Osim& osim, Joint& joint, const XmlElement& element, std::size_t body) {
  add_coordinates(osim, joint, element, body, list_coordinates(element).size());
  const auto transform = element.find("SpatialTransform");
  if (transform) {
    read_spatial_transform(osim, joint, *transform);
  } else if (element.find("TransformAxisSet")) {
    read_axis_set(osim, joint, element);
  } else {
    hold_still(osim, joint);
  }
  for (const std::size_t index : joint.coordinates) {
    osim.skeleton.coordinates[index].rotational = turns(joint, index);
  }
}

// What older files say themselves goes first.
void read_motion_types(Osim& osim, const XmlElement& element) {
  for (const XmlElement& one : list_coordinates(element)) {
    const std::string type = one.word("motion_type");
    Coordinate& coordinate = osim.skeleton.coordinates[osim.coordinates.at(one.name())];
    if (type == "rotational") coordinate.rotational = true;
    if (type == "translational") coordinate.rotational = false;
  }
}

Vec3d read_radii(const XmlElement& element, std::string_view property) {
  const Vec3d radii = element.vector(property, {0, 0, 0});
  if (!(radii.x > 0 && radii.y > 0 && radii.z > 0)) {
    element.fail(
        fmt::format("<{}> of {} must hold three numbers above 0", property, element.label()));
  }
  return radii;
}

}  // namespace

Joint make_free_joint(Osim& osim, const XmlElement& body_element, std::size_t body) {
  Joint joint;
  joint.type = "FreeJoint";
  joint.name = fmt::format("free_{}", osim.skeleton.bodies[body].name);
  const auto& all = simple_joints();
  read_simple(osim, *std::ranges::find(all, joint.type, &SimpleJoint::tag), joint, body_element,
              body);
  return joint;
}

Joint read_joint(Osim& osim, const XmlElement& element, std::size_t body) {
  Joint joint;
  joint.type = element.tag();
  joint.name = element.name();
  if (joint.name.empty()) joint.name = osim.skeleton.bodies[body].name;
  const auto& simple = simple_joints();
  const auto found = std::ranges::find(simple, joint.type, &SimpleJoint::tag);
  if (found != simple.end()) {
    read_simple(osim, *found, joint, element, body);
  } else if (joint.type == "CustomJoint") {
    read_custom(osim, joint, element, body);
    read_motion_types(osim, element);
  } else if (joint.type == "EllipsoidJoint") {
    joint.kind = Joint::Kind::kEllipsoid;
    joint.radii = read_radii(element, "radii_x_y_z");
    add_coordinates(osim, joint, element, body, 3);
  } else if (joint.type == "ScapulothoracicJoint") {
    joint.kind = Joint::Kind::kScapulothoracic;
    joint.radii = read_radii(element, "thoracic_ellipsoid_radii_x_y_z");
    const std::vector<double> origin = element.numbers("scapula_winging_axis_origin", 2);
    joint.winging_origin = {origin[0], origin[1]};
    joint.winging_direction = element.number("scapula_winging_axis_direction");
    add_coordinates(osim, joint, element, body, 4);
  } else {
    element.fail(
        fmt::format("the joint {} is not known; allowed: CustomJoint, PinJoint, "
                    "SliderJoint, UniversalJoint, BallJoint, GimbalJoint, PlanarJoint, "
                    "FreeJoint, WeldJoint, EllipsoidJoint, ScapulothoracicJoint",
                    element.label()));
  }
  return joint;
}

}  // namespace sinew::skeleton
