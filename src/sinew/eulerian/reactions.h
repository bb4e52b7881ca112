// What attachments do to what they are attached to: the momentum that held nodes lack after a step.
// docs/theory/eulerian.md, eq. 17.
//
// Departure B from fan2014, where the reaction is the multiplier of an attachment's row.
#pragma once

#include <span>
#include <vector>

#include "sinew/engine/rigid_motion.h"
#include "sinew/engine/world.h"
#include "sinew/eulerian/frame_motion.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// What a body's attachment did to what it is attached to, in the grid's frame: the negative of the
// momentum residual at its nodes.
struct Reaction {
  std::size_t body, attachment;
  engine::Wrench wrench;  // mean of the steps, about the grid's origin
};

struct Reactions {
  std::vector<Reaction> attachments;
  engine::BoneLoads loads;  // attachments and contact together, in the world's frame
};

// One of no force for every attachment of every body, bone and tendon.
Reactions make_reactions(const Model& model);

struct ReactionTask {
  double time, dt;                      // s, of the step that was solved
  std::span<const FrameMotion> frames;  // of the grids
};

// Adds the impulses of the step, N s. Precondition: the step is solved, and its bodies are not yet
// carried.
void add_reactions(const Model& model, const ReactionTask& task, const Workspace& workspace,
                   Reactions& reactions);

// Impulses become mean forces.
void divide(double seconds, Reactions& reactions);

}  // namespace sinew::eulerian
