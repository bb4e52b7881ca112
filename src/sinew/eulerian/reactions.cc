#include "sinew/eulerian/reactions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sinew/eulerian/elastic_matrix.h"

namespace sinew::eulerian {
namespace {

// By held node, through all bodies.
struct HeldSums {
  std::vector<double> mass;    // kg, with what slaves push to them
  std::vector<Vec3d> impulse;  // N s, of all that acts on them but the attachment
};

// Forces of a body's nodes go to the held nodes that they follow.
void add_forces(const Model& model, const ReactionTask& task, const Workspace& workspace,
                std::size_t b, HeldSums& sums) {
  const BodyWork& work = workspace.bodies[b];
  const FrameMotion& frame = task.frames[model.bodies[b].grid];
  const bool implicit = model.step.integrator == Integrator::kImplicit;
  for (const std::uint32_t n : work.block.band) {
    const double mass = work.mass[n];
    if (mass <= 0) continue;
    bool needed = false;
    visit_holds(workspace.unknowns, b, n, [&](std::uint32_t, double) { needed = true; });
    if (!needed) continue;
    const Vec3d x = position_of(work.block, n);
    const Vec3d a = felt_acceleration(model.world, frame, task.time, x, work.block.v[n]);
    Vec3d force = a * mass + work.force[n];
    if (implicit) force -= apply_stiffness(workspace, b, n) * task.dt;
    visit_holds(workspace.unknowns, b, n, [&](std::uint32_t h, double weight) {
      sums.mass[h] += weight * mass;
      sums.impulse[h] += force * (weight * task.dt);
    });
  }
}

}  // namespace

std::vector<Reaction> make_reactions(const Model& model) {
  std::vector<Reaction> reactions;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    for (std::size_t a = 0; a < model.bodies[b].attachments.size(); ++a) {
      reactions.push_back({b, a, {}});
    }
  }
  return reactions;
}

void add_reactions(const Model& model, const ReactionTask& task, const Workspace& workspace,
                   double share, std::vector<Reaction>& reactions) {
  if (reactions.empty()) return;
  const Unknowns& unknowns = workspace.unknowns;
  HeldSums sums;
  sums.mass.assign(unknowns.held_begin.back(), 0.0);
  sums.impulse.assign(unknowns.held_begin.back(), {});
  for (std::size_t b = 0; b < model.bodies.size(); ++b) add_forces(model, task, workspace, b, sums);
  for (const HeldEntry& e : workspace.rows.held) {
    sums.impulse[e.held] -= e.coefficient * workspace.rows.multiplier[e.row];
  }
  const double keep = std::exp(-model.step.damping * task.dt);
  std::size_t first = 0;  // reaction of the body
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyWork& work = workspace.bodies[b];
    for (std::size_t i = 0; i < work.held.size(); ++i) {
      const std::size_t h = unknowns.held_begin[b] + i;
      const std::uint32_t n = work.held[i];
      const Vec3d after = velocity_of(unknowns, b, n, workspace.velocity);
      const Vec3d lacks = (after - work.block.v[n] * keep) * sums.mass[h] - sums.impulse[h];
      engine::add_force(position_of(work.block, n), lacks * (-share / task.dt),
                        reactions[first + work.holder[i]].wrench);
    }
    first += model.bodies[b].attachments.size();
  }
}

}  // namespace sinew::eulerian
