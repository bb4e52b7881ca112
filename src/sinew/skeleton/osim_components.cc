// Where the members of an .osim file's sets stand, and what stands where nothing is read.
#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

constexpr std::string_view kSets[] = {"BodySet", "JointSet", "ForceSet", "ConstraintSet",
                                      "MarkerSet"};

bool is_muscle(std::string_view tag) {
  return tag.ends_with("Muscle") || tag.ends_with("Muscle_Deprecated");
}

// The set that OpenSim would put an object of this class in; empty for other classes.
std::string_view set_of(std::string_view tag) {
  if (tag == "Body") return "BodySet";
  if (tag == "Marker") return "MarkerSet";
  if (tag.ends_with("Joint") && tag != "Joint") return "JointSet";
  if (tag.ends_with("Constraint")) return "ConstraintSet";
  constexpr std::string_view kForces[] = {"Force", "Actuator", "Spring", "Ligament"};
  const bool is_force = std::ranges::any_of(
      kForces, [&](std::string_view end) { return tag.ends_with(end) && tag != end; });
  return is_force || is_muscle(tag) ? "ForceSet" : "";
}

// Components of `holder` and of all that it holds.
void gather(const XmlElement& holder, std::vector<XmlElement>& out) {
  for (const XmlElement& child : holder.children()) {
    if (child.tag() == "defaults") continue;
    const bool is_set = holder.tag() == "ComponentSet" || holder.tag() == "FrameSet";
    const bool is_list = child.tag() == "components" || (is_set && child.tag() == "objects");
    if (is_list) {
      for (const XmlElement& item : child.children()) out.push_back(item);
    }
    gather(child, out);
  }
}

struct Strays {
  Osim& osim;
  std::set<const void*> known;  // by XmlElement::id

  void visit(const XmlElement& element) {
    if (element.tag() == "defaults") return;
    // Properties may have the tag of a class; they have no name, or nothing in them.
    const bool is_object = !element.name().empty() && !element.children().empty();
    if (is_object && !set_of(element.tag()).empty() && !known.contains(element.id())) {
      osim.note(element.tag(), element.name(),
                fmt::format("it stands where none is read (line {}); it has no effect; move it to "
                            "the model's {}",
                            element.line(), set_of(element.tag())));
    }
    for (const XmlElement& child : element.children()) visit(child);
  }
};

}  // namespace

void collect_components(Osim& osim) {
  gather(osim.model, osim.components);
}

std::vector<XmlElement> list_members(const Osim& osim, std::string_view set) {
  std::vector<XmlElement> out = osim.model.objects(set);
  if (set == "ForceSet") {
    for (const XmlElement& older : osim.model.objects("ActuatorSet")) out.push_back(older);
  }
  std::ranges::copy_if(osim.components, std::back_inserter(out),
                       [&](const XmlElement& element) { return set_of(element.tag()) == set; });
  return out;
}

std::string make_unique(Osim& osim, const XmlElement& element, NameCounts& names) {
  const auto [at, is_new] = names.try_emplace(element.name(), 0);
  if (is_new) return element.name();
  std::string name;
  do {
    name = fmt::format("{}_{}", element.name(), at->second++);
  } while (!names.try_emplace(name, 0).second);
  osim.note(element.tag(), element.name(),
            fmt::format("its name is there twice; this one is called {}, as OpenSim does", name));
  return name;
}

void note_strays(Osim& osim, const XmlElement& document) {
  for (const XmlElement& element : osim.components) {
    if (!set_of(element.tag()).empty() || element.tag() == "PhysicalOffsetFrame") continue;
    osim.note(element.tag(), element.name(), "not read; it has no effect");
  }
  for (const XmlElement& child : document.children()) {
    if (child.id() == osim.model.id() || child.tag() == "defaults" || child.children().empty()) {
      continue;
    }
    osim.note(child.tag(), child.name(), "it stands beside the model, where nothing is read");
  }
  Strays strays{osim, {}};
  for (const std::string_view set : kSets) {
    for (const XmlElement& member : list_members(osim, set)) strays.known.insert(member.id());
  }
  if (list_members(osim, "JointSet").empty()) {
    for (const BodyElement& body : osim.body_elements) {
      if (const auto joint = find_inner_joint(body.element)) strays.known.insert(joint->id());
    }
  }
  for (const XmlElement& child : osim.model.children()) strays.visit(child);
}

}  // namespace sinew::skeleton
