#include "sinew/tet/drive.h"

#include <algorithm>

#include "sinew/tet/forces.h"

namespace sinew::tet {
namespace {

double compute_excitation(const Region& region, double time) {
  return region.excitation ? std::clamp(engine::evaluate(*region.excitation, time), 0.0, 1.0) : 0;
}

}  // namespace

void set_activations(const Model& model, double time, std::vector<double>& activations) {
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    activations[r] = compute_excitation(model.regions[r], time);
  }
}

void advance_activations(const Model& model, double time, double step,
                         std::vector<double>& activations) {
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const Region& region = model.regions[r];
    if (region.dynamics) {
      const double excitation = compute_excitation(region, time + 0.5 * step);
      activations[r] = material::advance(*region.dynamics, activations[r], excitation, step);
    } else {
      activations[r] = compute_excitation(region, time + step);
    }
  }
}

void move_held_nodes(const Model& model, double time, std::vector<Vec3d>& positions) {
  for (const Attachment& attachment : model.attachments) {
    const engine::RigidPose pose = engine::evaluate(attachment.motion, time);
    for (const std::uint32_t n : attachment.nodes) {
      positions[n] = pose.rotation * model.rest_positions[n] + pose.translation;
    }
  }
}

KernelInput make_input(const Model& model, double time, const std::vector<double>& activations,
                       Continuation continuation) {
  return {activations, compute_stiffness(model, time), continuation};
}

}  // namespace sinew::tet
