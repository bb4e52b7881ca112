#include "sinew/coupling/model_skeleton.h"

#include <algorithm>

#include "sinew/coupling/model_joints.h"
#include "sinew/coupling/model_lines.h"
#include "sinew/coupling/model_masses.h"

namespace sinew::coupling {

const std::string& find_bone(const anatomy::Model& model, const anatomy::MuscleEnd& end) {
  // A head that ends on a sibling is held where the sibling's insertion is.
  if (end.sibling.empty() || !end.bone.empty()) return end.bone;
  const auto sibling =
      std::find_if(model.muscles.begin(), model.muscles.end(),
                   [&](const anatomy::Muscle& muscle) { return muscle.name == end.sibling; });
  return sibling == model.muscles.end() ? end.bone : sibling->insertion.bone;
}

skeleton::Skeleton make_skeleton(const anatomy::Model& model, MuscleMass masses) {
  skeleton::Skeleton out = make_bodies(model);
  add_masses(model, masses == MuscleMass::kOnBones, out);
  add_lines(model, out);
  return out;
}

}  // namespace sinew::coupling
