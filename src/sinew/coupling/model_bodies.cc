#include "sinew/coupling/model_bodies.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/coupling/model_skeleton.h"
#include "sinew/material/presets.h"

namespace sinew::coupling {

std::optional<std::size_t> find_body_of(const anatomy::Model& model, const anatomy::MuscleEnd& end,
                                        const std::vector<std::string>& bones) {
  const auto found = std::find(bones.begin(), bones.end(), find_bone(model, end));
  if (found == bones.end()) return {};
  return static_cast<std::size_t>(found - bones.begin());
}

tet::BodySettings make_muscle_body(const anatomy::Model& model,
                                   std::shared_ptr<const anatomy::Muscle> muscle,
                                   const std::vector<std::string>& bones) {
  tet::BodySettings body;
  body.name = muscle->name;
  body.resolution = muscle->lattice.spacing;
  body.material = material::make_preset("muscle");
  body.tissues = {{{}, material::make_preset("tendon")}, {{}, material::make_preset("tendon")}};
  for (const std::string& name : muscle->regions) body.regions.push_back({name, {}, {}, {}});
  for (const auto& [name, end] :
       {std::pair{"origin", &muscle->origin}, std::pair{"insertion", &muscle->insertion}}) {
    if (end->nodes.empty()) continue;
    body.attachments.push_back(
        {name, {}, {}, end->nodes, find_body_of(model, *end, bones), end->sibling});
  }
  body.muscle = std::move(muscle);
  return body;
}

}  // namespace sinew::coupling
