// Muscles and other forces of .osim files.
#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

struct MuscleType {
  std::string_view tag;
  Muscle::Law law;
};
constexpr MuscleType kMuscles[] = {
    {"Thelen2003Muscle", Muscle::Law::kThelen},
    {"Thelen2003Muscle_Deprecated", Muscle::Law::kThelen},
    {"Millard2012EquilibriumMuscle", Muscle::Law::kMillard},
    {"Millard2012AccelerationMuscle", Muscle::Law::kMillard},
    {"Schutte1993Muscle", Muscle::Law::kHill},
    {"Schutte1993Muscle_Deprecated", Muscle::Law::kHill},
    {"Delp1990Muscle", Muscle::Law::kHill},
    {"Delp1990Muscle_Deprecated", Muscle::Law::kHill},
    {"RigidTendonMuscle", Muscle::Law::kHill},
    {"DeGrooteFregly2016Muscle", Muscle::Law::kDeGroote},
};
// Curves and options that our laws do not take.
constexpr std::string_view kOptions[] = {
    "active_force_length_curve",  "passive_force_length_curve", "force_velocity_curve",
    "tendon_force_length_curve",  "ActiveForceLengthCurve",     "ForceVelocityCurve",
    "FiberForceLengthCurve",      "TendonForceLengthCurve",     "ignore_tendon_compliance",
    "ignore_activation_dynamics",
};

double read_checked(Osim& osim, const XmlElement& muscle, std::string_view property,
                    double otherwise, double low, double high) {
  if (!muscle.has(property)) {
    osim.note(std::string(property), muscle.name(),
              fmt::format("it is missing; OpenSim's default of {} is taken", otherwise));
    return otherwise;
  }
  const double value = muscle.number(property);
  if (!(value >= low && value <= high)) {
    muscle.find(property)->fail(fmt::format("<{}> of {} is {}; it must lie between {} and {}",
                                            property, muscle.label(), value, low, high));
  }
  return value;
}

// The first property of the list that is there.
double read_first(const XmlElement& muscle, std::initializer_list<std::string_view> properties,
                  double otherwise) {
  for (const std::string_view property : properties) {
    if (muscle.has(property)) return muscle.number(property);
  }
  return otherwise;
}

// Schutte's and Delp's muscles measure time in their time_scale, so that they shorten by one
// optimal length in it at most.
constexpr double kTimeScale = 0.1;  // s, OpenSim's default

bool is_of_time_scale(std::string_view tag) {
  return tag.starts_with("Schutte1993Muscle") || tag.starts_with("Delp1990Muscle");
}

// Optimal lengths a second. Without a velocity, or with 0, the time scale of a muscle that has one
// has the say.
void read_max_velocity(const XmlElement& muscle, Muscle& out) {
  out.max_velocity = read_first(muscle, {"max_contraction_velocity", "Vmax"}, out.max_velocity);
  const bool is_given = muscle.has("max_contraction_velocity") && out.max_velocity != 0;
  if (!is_of_time_scale(muscle.tag()) || is_given) return;
  const double scale = muscle.number("time_scale", kTimeScale);
  if (!(scale > 1e-4 && scale < 100)) {
    muscle.fail(
        fmt::format("the time_scale of {} is {} s; between 0.0001 and 100 are allowed where there "
                    "is no max_contraction_velocity",
                    muscle.label(), scale));
  }
  out.max_velocity = 1 / scale;
}

// da/dt = (u - a) (k1 u + k2) / scale: its rates for u = 1 and u = 0.
void read_activation_rates(Osim& osim, const XmlElement& muscle, Muscle& out) {
  const bool is_generic = is_of_time_scale(muscle.tag());
  if (!is_generic && (!muscle.has("activation1") || !muscle.has("activation2"))) return;
  const double scale = muscle.number("time_scale", kTimeScale);
  const double fall = muscle.number("activation2", 1.459854);  // OpenSim's defaults
  const double rise = muscle.number("activation1", 7.667) + fall;
  if (rise > scale && fall > scale && rise < 1000 * scale && fall < 1000 * scale) {
    out.activation_time = scale / rise;
    out.deactivation_time = scale / fall;
  } else {
    osim.muscle_options["activation1, activation2 out of bounds"].push_back(out.name);
  }
}

void read_millard_curves(const XmlElement& muscle, Muscle& out) {
  if (const auto fibre = muscle.find("FiberForceLengthCurve")) {
    out.passive_strain = fibre->number("strain_at_one_norm_force", out.passive_strain);
  }
  if (const auto tendon = muscle.find("TendonForceLengthCurve")) {
    out.tendon_strain = tendon->number("strain_at_one_norm_force", out.tendon_strain);
  }
}

// Defaults where they differ from Thelen's, which Muscle has.
void set_defaults(const std::string& tag, Muscle& out) {
  if (tag.starts_with("Millard2012")) {
    out.activation_time = 0.010, out.deactivation_time = 0.040;
    out.passive_strain = 0.7, out.tendon_strain = 0.049;
  } else if (tag == "DeGrooteFregly2016Muscle") {
    out.activation_time = 0.015, out.deactivation_time = 0.060;
    out.passive_strain = 0.6, out.tendon_strain = 0.049;
  } else if (tag == "Thelen2003Muscle") {
    out.tendon_strain = 0.04, out.force_velocity_shape = 0.25, out.lengthening_force = 1.4;
  } else if (tag == "Thelen2003Muscle_Deprecated") {
    out.activation_time = 0.010, out.deactivation_time = 0.040;
    out.force_length_width = 0.5, out.passive_shape = 4;
  }
}

void read_shapes(const XmlElement& muscle, Muscle& out) {
  out.force_length_width = muscle.number("KshapeActive", out.force_length_width);
  out.passive_shape = muscle.number("KshapePassive", out.passive_shape);
  out.passive_strain = read_first(
      muscle, {"FmaxMuscleStrain", "passive_fiber_strain_at_one_norm_force"}, out.passive_strain);
  out.tendon_strain = read_first(muscle, {"FmaxTendonStrain", "tendon_strain_at_one_norm_force"},
                                 out.tendon_strain);
  out.force_velocity_shape = muscle.number("Af", out.force_velocity_shape);
  out.lengthening_force = muscle.number("Flen", out.lengthening_force);
  const auto positive = [&](double value, std::string_view what) {
    if (!(value > 0)) {
      muscle.fail(
          fmt::format("the {} of {} is {}; it must be above 0", what, muscle.label(), value));
    }
  };
  positive(out.force_length_width, "KshapeActive");
  positive(out.passive_shape, "KshapePassive");
  positive(out.passive_strain, "passive strain at maximal force");
  positive(out.tendon_strain, "tendon strain at maximal force");
  positive(out.force_velocity_shape, "Af");
  positive(out.lengthening_force - 1, "Flen minus 1");
  positive(out.max_velocity, "maximal velocity");
  positive(out.activation_time, "activation time");
  positive(out.deactivation_time, "deactivation time");
}

void note_options(Osim& osim, const XmlElement& muscle) {
  for (const XmlElement& child : muscle.children()) {
    const bool is_option =
        std::ranges::find(kOptions, child.tag()) != std::end(kOptions) && child.text() != "false";
    const bool is_named_curve = child.name().ends_with("_curve");
    if (is_option || is_named_curve) {
      osim.muscle_options[is_named_curve ? child.name() : child.tag()].push_back(muscle.name());
    }
  }
}

// De Groote's own constants.
void read_degroote(const XmlElement& muscle, Muscle& out) {
  out.active_width = muscle.number("active_force_width_scale", 1);
  out.has_passive = !muscle.flag("ignore_passive_fiber_force", false);
  if (!(out.active_width >= 1 && out.active_width <= 100)) {
    muscle.fail(fmt::format("the active_force_width_scale of {} is {}; allowed: 1 to 100",
                            muscle.label(), out.active_width));
  }
  for (const double strain : {out.passive_strain, out.tendon_strain}) {
    if (strain >= 0.01 && strain <= 100) continue;
    muscle.fail(fmt::format("{} has a strain at one norm force of {}; allowed: 0.01 to 100",
                            muscle.label(), strain));
  }
}

Muscle read_muscle(Osim& osim, const XmlElement& element, Muscle::Law law, const XmlElement& path) {
  Muscle out;
  out.name = element.name();
  out.kind = element.tag();
  out.law = law;
  set_defaults(element.tag(), out);
  out.path = read_path(osim, element, path);
  out.max_force = read_checked(osim, element, "max_isometric_force", 1000, 0, 1e7);
  out.optimal_length = read_checked(osim, element, "optimal_fiber_length", 0.1, 1e-6, 100);
  out.slack_length = read_checked(osim, element, "tendon_slack_length", 0.2, 0, 100);
  const bool is_newer = element.has("pennation_angle_at_optimal");
  const std::string_view angle = is_newer ? "pennation_angle_at_optimal" : "pennation_angle";
  if (element.has(angle)) {
    out.pennation = read_checked(osim, element, angle, 0, 0, std::numbers::pi / 2);
  }
  read_max_velocity(element, out);
  out.activation_time = element.number("activation_time_constant", out.activation_time);
  out.deactivation_time = element.number("deactivation_time_constant", out.deactivation_time);
  read_activation_rates(osim, element, out);
  read_millard_curves(element, out);
  read_shapes(element, out);
  if (law == Muscle::Law::kDeGroote) read_degroote(element, out);
  out.control_range = {element.number("min_control", 0), element.number("max_control", 1)};
  if (!(out.control_range[0] <= out.control_range[1])) {
    element.fail(fmt::format("min_control of {} is above its max_control", element.label()));
  }
  out.disabled = is_disabled(element);
  note_options(osim, element);
  return out;
}

void note_muscle_options(Osim& osim) {
  for (const auto& [option, muscles] : osim.muscle_options) {
    constexpr std::size_t kMaxNamed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMaxNamed, muscles.size()); ++i) {
      names += fmt::format("{}{}", i > 0 ? ", " : "", muscles[i]);
    }
    if (muscles.size() > kMaxNamed) {
      names += fmt::format(" and {} more", muscles.size() - kMaxNamed);
    }
    osim.note(option, names, "the muscle's law has its own");
  }
}

}  // namespace

void read_forces(Osim& osim) {
  NameCounts names;
  for (const XmlElement& element : list_members(osim, "ForceSet")) {
    const auto type = std::ranges::find(kMuscles, element.tag(), &MuscleType::tag);
    const auto path = find_path(element);
    if (type == std::end(kMuscles)) {
      read_joint_force(osim, element);
      continue;
    }
    if (!path) {
      osim.note(element.tag(), element.name(), "it has no GeometryPath: the muscle is left out");
      continue;
    }
    if (element.name().empty()) element.fail(fmt::format("a {} has no name", element.tag()));
    Muscle muscle = read_muscle(osim, element, type->law, *path);
    muscle.name = make_unique(osim, element, names);
    osim.skeleton.muscles.push_back(std::move(muscle));
  }
  note_muscle_options(osim);
}

}  // namespace sinew::skeleton
