// Forces of .osim files besides muscles: what acts on joints by itself, and what acts only when
// something drives it.
#include <algorithm>
#include <array>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// What a part asks for that has no meaning here: the part is noted, the model still read.
struct NoLaw {
  std::string reason;
};

double read_at_least(const XmlElement& element, std::string_view property, double otherwise,
                     double least) {
  const double value = element.number(property, otherwise);
  if (!(value >= least))
    element.find(property)->fail(fmt::format("<{}> of {} is {}; it must be {} or more", property,
                                             element.label(), value, least));
  return value;
}

double read_length(const XmlElement& element, std::string_view property) {
  const double value = element.number(property, 0);
  if (!(value > 0)) throw NoLaw{fmt::format("its {} is {}, not above 0", property, value)};
  return value;
}

std::size_t read_coordinate(const Osim& osim, const XmlElement& element) {
  const std::string name = find_socket(element, "coordinate", "coordinate");
  if (name.empty() || to_lower(name) == "unassigned") throw NoLaw{"it names no coordinate"};
  return find_coordinate_index(osim, name, element);
}

Expression read_formula(const XmlElement& element, std::string_view property,
                        std::span<const std::string_view> variables) {
  const std::string text = element.has(property) ? element.word(property) : "0";
  try {
    return parse_expression(text, variables);
  } catch (const std::invalid_argument& error) {
    throw NoLaw{fmt::format("{}: {}", property, error.what())};
  }
}

// Files have degrees, and stiffness by degree, for coordinates that turn.
CoordinateLimit read_limit(const Osim& osim, const XmlElement& element) {
  CoordinateLimit out;
  out.coordinate = read_coordinate(osim, element);
  const double unit = osim.skeleton.coordinates[out.coordinate].rotational ? kDegree : 1;
  out.limits = {unit * element.number("lower_limit", 0), unit * element.number("upper_limit", 0)};
  out.stiffness = {read_at_least(element, "lower_stiffness", 1, 0) / unit,
                   read_at_least(element, "upper_stiffness", 1, 0) / unit};
  out.damping = read_at_least(element, "damping", 0.001, 0) / unit;
  out.transition = unit * read_at_least(element, "transition", 0.1, 0);
  return out;
}

CoordinateSpring read_spring(const Osim& osim, const XmlElement& element) {
  return {read_coordinate(osim, element), element.number("stiffness", 0),
          element.number("rest_length", 0), element.number("viscosity", 0)};
}

// Since version 4 by sockets; before by bodies and where the frames are on them.
void read_frames(const Osim& osim, const XmlElement& element, Bushing& out) {
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string number = std::to_string(k + 1);
    const std::string old = "body_" + number, socket = "frame" + number;
    if (find_socket(element, socket, old).empty()) throw NoLaw{"it does not say on what it acts"};
    const BodyFrame found = find_body_frame(osim, element, socket, old, element.name());
    out.bodies[k] = found.body;
    out.frames[k] =
        compose(found.frame, read_frame(element, "location_" + old, "orientation_" + old));
  }
}

std::array<double, 6> read_six(const XmlElement& element, const std::string& what) {
  const Vec3d turn = element.vector("rotational_" + what, {0, 0, 0});
  const Vec3d shift = element.vector("translational_" + what, {0, 0, 0});
  return {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
}

Bushing read_bushing(Osim& osim, const XmlElement& element) {
  Bushing out;
  read_frames(osim, element, out);
  out.damping = read_six(element, "damping");
  std::array<Function, 6> functions;
  if (element.tag() == "BushingForce") {
    const std::array<double, 6> stiffness = read_six(element, "stiffness");
    for (std::size_t k = 0; k < 6; ++k) functions[k] = make_line(stiffness[k], 0);
    out.stiffness = functions;
  } else if (element.tag() == "FunctionBasedBushingForce") {
    for (std::size_t k = 0; k < 6; ++k) {
      const std::string name = k < 3 ? fmt::format("m_{0}_theta_{0}_function", "xyz"[k])
                                     : fmt::format("f_{0}_delta_{0}_function", "xyz"[k - 3]);
      if (has_function(element, name))
        functions[k] = read_function(osim, element, name, element.name());
    }
    out.stiffness = functions;
  } else {
    constexpr std::array<std::string_view, 6> kVariables{"theta_x", "theta_y", "theta_z",
                                                         "delta_x", "delta_y", "delta_z"};
    std::array<Expression, 6> formulas;
    for (std::size_t k = 0; k < 6; ++k)
      formulas[k] = read_formula(
          element, fmt::format("{}{}_expression", k < 3 ? 'M' : 'F', "xyz"[k % 3]), kVariables);
    out.stiffness = formulas;
  }
  return out;
}

PointSpring read_point_spring(const Osim& osim, const XmlElement& element) {
  PointSpring out;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string body = "body" + std::to_string(k + 1);
    if (find_socket(element, body, body).empty()) throw NoLaw{"it does not say on what it acts"};
    const BodyFrame found = find_body_frame(osim, element, body, body, element.name());
    out.bodies[k] = found.body;
    out.points[k] = apply(found.frame, element.vector("point" + std::to_string(k + 1), {0, 0, 0}));
  }
  constexpr std::array<std::string_view, 2> kVariables{"d", "ddot"};
  if (element.tag() == "ExpressionBasedPointToPointForce")
    out.force = read_formula(element, "expression", kVariables);
  out.stiffness = element.number("stiffness", 1);
  out.rest = element.number("rest_length", 0);
  return out;
}

// OpenSim's curve of ligaments that have none of their own.
Function make_ligament_curve() {
  return make_spline({-5, 0.998, 0.999, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.601, 1.602, 5},
                     {0, 0, 0, 0, 0.035, 0.12, 0.26, 0.55, 1.17, 2, 2, 2, 2},
                     SplineEnds::kThirdDerivative);
}

Band read_band(Osim& osim, const XmlElement& element) {
  const auto path = find_path(element);
  if (!path) throw NoLaw{"it has no GeometryPath"};
  Band out;
  out.path = read_path(osim, element, *path);
  if (element.tag() == "Ligament") {
    const std::string curve =
        has_function(element, "force_length_curve") ? "force_length_curve" : "";
    out.law = LigamentCurve{read_length(element, "resting_length"), element.number("pcsa_force", 0),
                            curve.empty() ? make_ligament_curve()
                                          : read_function(osim, element, curve, element.name())};
  } else if (element.tag() == "Blankevoort1991Ligament") {
    out.law = LigamentToe{read_at_least(element, "linear_stiffness", 1, 0),
                          read_length(element, "slack_length"),
                          read_at_least(element, "transition_strain", 0.06, 0),
                          read_at_least(element, "damping_coefficient", 0.003, 0)};
  } else if (element.tag() == "PathSpring") {
    if (!element.has("stiffness")) throw NoLaw{"it has no stiffness"};
    out.law = PathSpring{element.number("stiffness"), read_length(element, "resting_length"),
                         element.number("dissipation", 0)};
  } else {
    constexpr std::array<std::string_view, 2> kVariables{"s", "ldot"};
    out.law = PathFormula{element.number("resting_length", 0), element.flag("clamp_stretch", true),
                          read_formula(element, "expression", kVariables)};
  }
  return out;
}

bool is_one_of(std::string_view tag, std::initializer_list<std::string_view> tags) {
  return std::ranges::find(tags, tag) != tags.end();
}

// False where the tag has no law here.
bool read_law(Osim& osim, const XmlElement& element, JointForce& out) {
  const std::string& tag = element.tag();
  if (tag == "CoordinateLimitForce") {
    out.law = read_limit(osim, element);
  } else if (tag == "SpringGeneralizedForce") {
    out.law = read_spring(osim, element);
  } else if (tag == "ExpressionBasedCoordinateForce") {
    constexpr std::array<std::string_view, 2> kVariables{"q", "qdot"};
    out.law = CoordinateFormula{read_coordinate(osim, element),
                                read_formula(element, "expression", kVariables)};
  } else if (is_one_of(tag, {"BushingForce", "FunctionBasedBushingForce",
                             "ExpressionBasedBushingForce"})) {
    out.law = read_bushing(osim, element);
  } else if (is_one_of(tag, {"PointToPointSpring", "ExpressionBasedPointToPointForce"})) {
    out.law = read_point_spring(osim, element);
  } else if (is_one_of(tag, {"Ligament", "Blankevoort1991Ligament", "PathSpring",
                             "ExpressionBasedPathForce"})) {
    out.law = read_band(osim, element);
  } else {
    return false;
  }
  return true;
}

// Actuators and muscles do nothing without a control.
bool is_driven(std::string_view tag) {
  return tag.ends_with("Actuator") || tag.find("Muscle") != std::string_view::npos ||
         tag.ends_with("Motor") || tag == "ClutchedPathSpring";
}

}  // namespace

bool is_disabled(const XmlElement& force) {
  return force.flag("isDisabled", false) || !force.flag("appliesForce", true);
}

void read_joint_force(Osim& osim, const XmlElement& element) {
  JointForce out;
  out.name = element.name();
  out.type = element.tag();
  out.disabled = is_disabled(element);
  std::string reason = "no law for it here";
  try {
    if (read_law(osim, element, out)) {
      osim.skeleton.joint_forces.push_back(std::move(out));
      return;
    }
  } catch (const NoLaw& none) {
    reason = none.reason;
  }
  if (is_driven(element.tag())) {
    osim.note(element.tag(), element.name(), "nothing drives it: it does not act");
    return;
  }
  osim.note(element.tag(), element.name(), out.disabled ? "disabled; " + reason : reason);
  osim.skeleton.unsupported.back().acts = !out.disabled;
}

}  // namespace sinew::skeleton
