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
    const double mass = work.soft_mass[n];
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

// Of the border where a held node's line meets it: the line is straight, and what is within the
// attachment moves as it does.
Vec3d velocity_before(const Held& held, const Block& block) {
  const Vec3d v = block.v[held.node];
  if (held.ratio <= 0) return v;
  return (v - block.v[held.inner] * held.ratio) / (1 - held.ratio);
}

// The impulse on every attachment, in the order of make_reactions, N s.
std::vector<engine::Wrench> find_impulses(const Model& model, const ReactionTask& task,
                                          const Workspace& workspace, std::size_t count) {
  std::vector<engine::Wrench> out(count);
  if (count == 0) return out;
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
    const FrameMotion& frame = task.frames[model.bodies[b].grid];
    for (std::size_t i = 0; i < work.held.size(); ++i) {
      const std::size_t h = unknowns.held_begin[b] + i;
      const std::uint32_t n = work.held[i].node;
      engine::Wrench& wrench = out[first + work.held[i].attachment];
      const Vec3d before = work.block.v[n] * keep;
      const Vec3d border = velocity_before(work.held[i], work.block) * keep;
      const Vec3d lacks = (work.border_velocity[i] - border) * sums.mass[h] - sums.impulse[h];
      engine::add_force(find_place(work.held[i], work.block), -lacks, wrench);
      // What is held itself.
      const Vec3d x = position_of(work.block, n);
      const Vec3d a = felt_acceleration(model.world, frame, task.time, x, work.block.v[n]);
      const Vec3d change = work.held_velocity[i] - before - a * task.dt;
      engine::add_force(x, change * (work.soft_mass[n] - work.mass[n]), wrench);
    }
    first += model.bodies[b].attachments.size();
  }
  return out;
}

void add(const engine::Wrench& wrench, engine::Wrench& sum) {
  sum.force += wrench.force;
  sum.torque += wrench.torque;
}

// Wrenches of a grid's frame in the world: the mean of where the grid is before and after the step,
// which is the middle up to the second order.
class ToWorld {
 public:
  ToWorld(const Model& model, const ReactionTask& task) {
    for (std::size_t g = 0; g < model.grids.size(); ++g) {
      before_.push_back(task.frames[g].pose);
      after_.push_back(find_grid_pose(model, g, task.time + task.dt));
    }
  }
  engine::Wrench operator()(std::size_t grid, const engine::Wrench& wrench) const {
    engine::Wrench sum;
    for (const engine::RigidPose& pose : {before_[grid], after_[grid]}) {
      const Vec3d force = pose.rotation * wrench.force * 0.5;
      add({force, pose.rotation * wrench.torque * 0.5 + cross(pose.translation, force)}, sum);
    }
    return sum;
  }

 private:
  std::vector<engine::RigidPose> before_, after_;
};

// A tendon's end hangs on the grid's bone, on which it slides; along it, the tendon pulls.
void add_attachment(const Model& model, const Reaction& reaction, const engine::Wrench& impulse,
                    const ToWorld& to_world, engine::BoneLoads& loads) {
  const Body& body = model.bodies[reaction.body];
  const Attachment& attachment = body.attachments[reaction.attachment];
  const auto bone = attachment.bone ? attachment.bone : model.grids[body.grid].bone;
  if (bone) add(to_world(body.grid, impulse), loads.wrenches[*bone]);
  if (!attachment.tendon) return;
  loads.tensions[attachment.tendon->tendon] -= dot(impulse.force, attachment.tendon->direction);
}

// What the rows of a contact with something rigid do to it, in the grid's frame.
engine::Wrench find_impulse(const ContactRows& contact, const std::vector<double>& multipliers) {
  engine::Wrench sum;
  for (std::size_t i = 0; i < contact.cells.size(); ++i) {
    const double impulse = multipliers[contact.begin + i] * contact.area[i];
    engine::add_force(contact.center[i], contact.normal[i] * impulse, sum);
    if (contact.tangent.empty()) continue;
    const Vec3d t = contact.tangent[i];
    const double* slide = &multipliers[contact.slide_begin + 2 * i];
    const Vec3d across = t * slide[0] + cross(contact.normal[i], t) * slide[1];
    engine::add_force(contact.center[i], across * contact.area[i], sum);
  }
  return sum;
}

void add_contacts(const Model& model, const Workspace& workspace, const ToWorld& to_world,
                  engine::BoneLoads& loads) {
  const std::vector<double>& multipliers = workspace.rows.multiplier;
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const std::size_t grid = model.bodies[model.contacts[c].body].grid;
    const auto bone = model.grids[grid].bone;
    if (!bone || model.contacts[c].other) continue;
    add(to_world(grid, find_impulse(workspace.contacts[c], multipliers)), loads.wrenches[*bone]);
  }
  for (std::size_t c = 0; c < workspace.obstacles.size(); ++c) {
    const auto bone = model.world.colliders[c / model.bodies.size()].bone;
    if (!bone) continue;
    const std::size_t grid = model.bodies[workspace.obstacles[c].body].grid;
    add(to_world(grid, find_impulse(workspace.obstacles[c], multipliers)), loads.wrenches[*bone]);
  }
}

}  // namespace

Reactions make_reactions(const Model& model) {
  Reactions reactions;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    for (std::size_t a = 0; a < model.bodies[b].attachments.size(); ++a) {
      reactions.attachments.push_back({b, a, {}});
    }
  }
  reactions.loads.wrenches.resize(model.world.bones.names.size());
  reactions.loads.tensions.resize(model.world.bones.tendons.size());
  return reactions;
}

void add_reactions(const Model& model, const ReactionTask& task, const Workspace& workspace,
                   Reactions& reactions) {
  const auto impulses = find_impulses(model, task, workspace, reactions.attachments.size());
  const ToWorld to_world(model, task);
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    add(impulses[i], reactions.attachments[i].wrench);
    add_attachment(model, reactions.attachments[i], impulses[i], to_world, reactions.loads);
  }
  add_contacts(model, workspace, to_world, reactions.loads);
}

void divide(double seconds, Reactions& reactions) {
  const auto divide_one = [&](engine::Wrench& w) { w = {w.force / seconds, w.torque / seconds}; };
  for (Reaction& r : reactions.attachments) divide_one(r.wrench);
  for (engine::Wrench& w : reactions.loads.wrenches) divide_one(w);
  for (double& tension : reactions.loads.tensions) tension /= seconds;
}

}  // namespace sinew::eulerian
