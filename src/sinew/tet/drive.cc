#include "sinew/tet/drive.h"

#include <algorithm>

#include "sinew/material/force_velocity.h"
#include "sinew/tet/finite_volume.h"
#include "sinew/tet/forces.h"
#include "sinew/tet/state.h"
#include "sinew/tet/ties.h"

namespace sinew::tet {
namespace {

double compute_excitation(const Region& region, double time) {
  return region.excitation ? std::clamp(engine::evaluate(*region.excitation, time), 0.0, 1.0) : 0;
}

// Mean rate of |F a| over the fibres of a region, by volume, 1/s.
double compute_fiber_rate(const Model& model, const State& state, std::size_t region) {
  double sum = 0, volume = 0;
  const Range tets = model.bodies[model.regions[region].body].tets;
  for (std::size_t t = tets.begin; t < tets.end; ++t) {
    const Vec3f& f = model.fibers[t];
    if (model.region[t] != region || dot(f, f) == 0) continue;
    const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
    const auto& [n0, n1, n2, n3] = model.tets[t];
    const Vec3d a = rest.Dm_inverse * Vec3d{f.x, f.y, f.z};
    const auto& x = state.positions;
    const auto& v = state.velocities;
    const Vec3d Fa = compute_edges(x[n0], x[n1], x[n2], x[n3]) * a;
    const Vec3d rate = compute_edges(v[n0], v[n1], v[n2], v[n3]) * a;
    const double weight = rest.volume * model.fill[t];
    sum += weight * dot(Fa, rate) / std::max(norm(Fa), 1e-6);
    volume += weight;
  }
  return volume > 0 ? sum / volume : 0;
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

engine::RigidPose find_pose(const Model& model, const Attachment& attachment, double time) {
  return attachment.bone ? model.world.bones.pose(*attachment.bone, time)
                         : engine::evaluate(attachment.motion, time);
}

void move_held_nodes(const Model& model, double time, std::vector<Vec3d>& positions) {
  for (const Attachment& attachment : model.attachments) {
    const engine::RigidPose pose = find_pose(model, attachment, time);
    for (const std::uint32_t n : attachment.nodes) {
      positions[n] = engine::apply(pose, model.rest_positions[n]);
    }
  }
  place_tied(model, positions);
}

KernelInput make_input(const Model& model, double time, const std::vector<double>& activations,
                       Continuation continuation) {
  return {activations, compute_stiffness(model, time), continuation};
}

KernelInput make_moving_input(const Model& model, const State& state, double time,
                              const std::vector<double>& activations, Continuation continuation) {
  KernelInput input = make_input(model, time, activations, continuation);
  for (std::size_t r = 0; r < model.regions.size(); ++r) {
    const std::optional<double>& most = model.regions[r].max_fiber_rate;
    if (!most || input.activations[r] == 0) continue;
    input.activations[r] *=
        material::compute_force_velocity(compute_fiber_rate(model, state, r), *most);
  }
  return input;
}

}  // namespace sinew::tet
