// Constraints of .osim files: coordinates that follow others, and points that stay together.
#include <fmt/format.h>

#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"
#include "sinew/volume/text_header.h"

namespace sinew::skeleton {
namespace {

bool is_enforced(const XmlElement& element) {
  return element.flag("isEnforced", true) && !element.flag("isDisabled", false);
}

void read_coupler(Osim& osim, const XmlElement& element) {
  const std::string names = element.word("independent_coordinate_names");
  const std::vector<std::string_view> independent = volume::split_words(names);
  const std::string dependent = element.word("dependent_coordinate_name");
  const std::size_t index = find_coordinate_index(osim, dependent, element);
  if (independent.size() != 1) {
    osim.note(element.tag(), element.name(),
              fmt::format("it follows {} coordinates, not one: \"{}\" is free", independent.size(),
                          printable(dependent)));
    return;
  }
  Coupler coupler;
  coupler.independent = find_coordinate_index(osim, std::string(independent[0]), element);
  coupler.function = read_function(osim, element, "coupled_coordinates_function", element.name());
  coupler.function.scale *= element.number("scale_factor", 1);
  auto& slot = osim.skeleton.coordinates[index].coupler;
  if (slot) {
    element.fail(fmt::format("the coordinate \"{}\" follows two others; one is allowed",
                             printable(dependent)));
  }
  slot = coupler;
}

// A coordinate may follow one that follows another, but none may follow itself.
void check_coupler_cycles(const Osim& osim) {
  const auto& all = osim.skeleton.coordinates;
  // 0: not seen, 1: on the way, 2: ends well.
  std::vector<int> mark(all.size(), 0);
  for (std::size_t start = 0; start < all.size(); ++start) {
    std::size_t at = start;
    std::vector<std::size_t> way;
    while (mark[at] == 0) {
      mark[at] = 1;
      way.push_back(at);
      if (all[at].coupler) at = all[at].coupler->independent;
    }
    if (mark[at] == 1 && all[at].coupler) {
      osim.model.fail(
          fmt::format("the coordinate \"{}\" follows itself through the "
                      "CoordinateCouplerConstraints; remove one of them",
                      printable(all[at].name)));
    }
    for (const std::size_t i : way) mark[i] = 2;
  }
}

void read_point_constraint(Osim& osim, const XmlElement& element) {
  const BodyFrame a = find_body_frame(osim, element, "body_1", "body_1", "");
  const BodyFrame b = find_body_frame(osim, element, "body_2", "body_2", "");
  osim.skeleton.constraints.push_back(
      {element.name(),
       {a.body, b.body},
       {apply(a.frame, element.vector("location_body_1", {0, 0, 0})),
        apply(b.frame, element.vector("location_body_2", {0, 0, 0}))}});
}

}  // namespace

void read_constraints(Osim& osim) {
  for (const XmlElement& element : list_members(osim, "ConstraintSet")) {
    if (!is_enforced(element)) continue;  // as if it were not there, in OpenSim too
    if (element.tag() == "CoordinateCouplerConstraint") {
      read_coupler(osim, element);
    } else if (element.tag() == "PointConstraint") {
      read_point_constraint(osim, element);
    } else {
      osim.note(element.tag(), element.name(), "not enforced: the bodies move as if without it");
    }
  }
  check_coupler_cycles(osim);
}

}  // namespace sinew::skeleton
