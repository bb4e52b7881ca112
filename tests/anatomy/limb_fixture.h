// The right upper limb of the shared data with the table of its model file, for tests that look at
// all of its muscles. The scene folder reads model files in full; here the surfaces and ends do.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "sinew/anatomy/attachments.h"
#include "sinew/mesh/surface_distance.h"

#include "shared_data.h"
#include "test_paths.h"

namespace sinew::anatomy {

struct LimbMuscle {
  std::string name;
  EndSettings origin, insertion;
};

struct Limb {
  std::vector<LimbMuscle> muscles;
  std::map<std::string, std::shared_ptr<const mesh::SurfaceDistance>> solids;  // muscles too

  std::vector<NamedSolid> named(const std::vector<std::string>& names) const {
    std::vector<NamedSolid> found;
    for (const std::string& name : names) {
      if (solids.contains(name)) found.push_back({name, solids.at(name).get()});
    }
    return found;
  }
};

inline std::filesystem::path find_bodyparts() {
  return find_shared_data() / "bodyparts3d";
}

inline std::vector<std::string> read_strings(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> strings;
  if (const toml::array* array = node.as_array()) {
    for (const auto& item : *array) strings.push_back(item.value_or(std::string()));
  }
  return strings;
}

inline EndSettings read_end(const toml::node_view<const toml::node>& node) {
  EndSettings end;
  end.bones = read_strings(node["bones"]);
  const std::string kind = node["kind"].value_or("");
  end.kind = kind == "fleshy"    ? EndKind::kFleshy
             : kind == "line"    ? EndKind::kLine
             : kind == "sibling" ? EndKind::kSibling
                                 : EndKind::kTendon;
  end.reach = node["reach"].value_or(end.reach);
  end.sibling = node["sibling"].value_or("");
  return end;
}

// Closed surfaces one beside the other, as one.
inline std::shared_ptr<const mesh::SurfaceDistance> read_solid(
    const toml::node_view<const toml::node>& part) {
  mesh::Surface all;
  for (const std::string& file : read_strings(part["surfaces"])) {
    const mesh::Surface one = mesh::read_surface((find_bodyparts() / file).string(), 1e-3);
    const auto base = static_cast<std::uint32_t>(all.positions.size());
    all.positions.insert(all.positions.end(), one.positions.begin(), one.positions.end());
    for (const auto& t : one.triangles) {
      all.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    }
  }
  return std::make_shared<mesh::SurfaceDistance>(std::move(all));
}

// Precondition: find_bodyparts() exists.
inline Limb read_limb() {
  const std::filesystem::path model =
      std::filesystem::path(SINEW_TEST_DATA) / "../../models/right-upper-limb.toml";
  const toml::table table = toml::parse_file(model.string());
  Limb limb;
  const toml::array& tissues = *table["tissues"].as_array();
  const toml::array& muscles = *table["muscles"].as_array();
  for (const toml::array* parts : {&tissues, &muscles}) {
    for (const auto& node : *parts) {
      const toml::node_view<const toml::node> part(node);
      limb.solids[part["name"].value_or("")] = read_solid(part);
    }
  }
  for (const auto& node : muscles) {
    const toml::node_view<const toml::node> muscle(node);
    limb.muscles.push_back(
        {muscle["name"].value_or(""), read_end(muscle["origin"]), read_end(muscle["insertion"])});
  }
  return limb;
}

inline Attachments attach(const Limb& limb, const LimbMuscle& muscle,
                          const mesh::Surface& surface) {
  std::vector<std::string> names = muscle.origin.bones;
  names.insert(names.end(), muscle.insertion.bones.begin(), muscle.insertion.bones.end());
  return find_attachments(surface, muscle.origin, muscle.insertion, limb.named(names),
                          limb.named({muscle.origin.sibling, muscle.insertion.sibling}));
}

}  // namespace sinew::anatomy
