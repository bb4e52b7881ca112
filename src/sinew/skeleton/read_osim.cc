#include "sinew/skeleton/read_osim.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file_bytes.h"
#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"
#include "sinew/skeleton/osim_parts.h"

namespace sinew::skeleton {
namespace {

constexpr FileRules kRules = {std::uintmax_t{32} << 20U, "give the path of an .osim file",
                              "the file cannot be read"};
constexpr int kOldest = 10900, kNewest = 49999;
// Tables of moment arms and mass matrices grow with products of these: 200 MB at most.
constexpr std::size_t kMaxBodies = 1000, kMaxCoordinates = 1000, kMaxMuscles = 5000;

// Read by this program, or without a meaning for it.
constexpr std::string_view kKnown[] = {"BodySet",
                                       "JointSet",
                                       "ForceSet",
                                       "ConstraintSet",
                                       "MarkerSet",
                                       "ActuatorSet",
                                       "FrameSet",
                                       "Ground",
                                       "gravity",
                                       "credits",
                                       "publications",
                                       "length_units",
                                       "force_units",
                                       "defaults",
                                       "components",
                                       "ComponentSet",
                                       "ModelVisualPreferences",
                                       "assembly_accuracy"};

void check_version(const XmlElement& document) {
  if (document.tag() != "OpenSimDocument") {
    document.fail(
        fmt::format("the file begins with <{}>, not with <OpenSimDocument>; is it an "
                    "OpenSim model?",
                    printable(document.tag())));
  }
  const std::string text = document.attribute("Version");
  int version = 0;
  if (!parse_whole(text, version) || version < kOldest || version > kNewest) {
    document.fail(
        fmt::format("the Version is \"{}\"; allowed: {} to {}; open and save the model "
                    "in a newer OpenSim",
                    printable(text), kOldest, kNewest));
  }
}

// What objects of a type leave out stands in <defaults>, in the model or beside it.
void link_model_defaults(XmlNode& root) {
  const auto find = [](const XmlNode& holder, std::string_view tag) {
    const auto found = std::ranges::find(holder.children, tag, &XmlNode::tag);
    return found == holder.children.end() ? nullptr : &*found;
  };
  const XmlNode* model = find(root, "Model");
  for (const XmlNode* holder : {model, static_cast<const XmlNode*>(&root)}) {
    const XmlNode* defaults = holder == nullptr ? nullptr : find(*holder, "defaults");
    if (defaults != nullptr && !defaults->children.empty()) link_defaults(root, *defaults);
  }
}

void note_groups(Osim& osim, const XmlElement& set) {
  const auto groups = set.find("groups");
  if (!groups || groups->children().empty()) return;
  osim.note("ObjectGroup", fmt::format("{} of the {}", groups->children().size(), set.tag()),
            "groups are not used");
}

// Parts of the model that are not read: a set by its members, anything else by itself.
void note_other_parts(Osim& osim) {
  for (const XmlElement& child : osim.model.children()) {
    note_groups(osim, child);
    if (!child.attribute("file").empty()) {
      osim.note(child.tag(), child.attribute("file"),
                "it stands in another file, which is not read");
    }
    if (std::ranges::find(kKnown, child.tag()) != std::end(kKnown)) continue;
    const bool is_set = child.tag().ends_with("Set");
    if (!is_set && (!child.children().empty() || !child.text().empty())) {
      osim.note(child.tag(), child.name(), "not read; it has no effect");
    }
    const auto members = is_set ? child.find("objects") : std::nullopt;
    if (!members) continue;
    for (const XmlElement& member : members->children()) {
      osim.note(member.tag(), member.name(),
                fmt::format("a member of the {}; it has no effect", child.tag()));
    }
  }
  const std::string units = osim.model.word("length_units");
  if (!units.empty() && units != "meters" && units != "m") {
    osim.note("length_units", units, "all lengths are taken as metres, as OpenSim does");
  }
}

void check_count(const std::string& path, std::size_t count, const char* what, std::size_t most) {
  if (count <= most) return;
  throw InputError(path, "",
                   fmt::format("the model has {} {}; at most {} are read", count, what, most));
}

}  // namespace

Skeleton parse_osim(const std::string& text, const std::string& path) {
  XmlFile file = parse_xml(text, path);
  link_model_defaults(file.root);
  const XmlElement document(file.path, file.root);
  check_version(document);
  const auto model = document.find("Model");
  if (!model) document.fail("the file has no <Model>; only models are read, no setups or tools");
  Osim osim{*model, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  osim.skeleton.name = model->name();
  osim.skeleton.file = path;
  osim.skeleton.gravity = model->vector("gravity", osim.skeleton.gravity);
  collect_components(osim);
  collect_bodies(osim);
  check_count(path, osim.body_elements.size(), "bodies", kMaxBodies);
  collect_frames(osim);
  read_bodies(osim);
  check_count(path, osim.skeleton.coordinates.size(), "coordinates", kMaxCoordinates);
  read_wrap_objects(osim);
  read_geometry(osim);
  read_markers(osim);
  read_constraints(osim);
  read_forces(osim);
  check_count(path, osim.skeleton.muscles.size(), "muscles", kMaxMuscles);
  check_count(path, osim.skeleton.joint_forces.size(), "forces besides muscles", kMaxMuscles);
  note_other_parts(osim);
  note_strays(osim, document);
  return std::move(osim.skeleton);
}

Skeleton read_osim(const std::string& path) {
  return parse_osim(read_file_bytes(path, "model file", kRules), path);
}

}  // namespace sinew::skeleton
