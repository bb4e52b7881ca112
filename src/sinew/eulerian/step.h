// A step of the Eulerian engine, and as many as it takes to reach a time.
// docs/theory/eulerian.md tells the life of one.
#pragma once

#include <vector>

#include "sinew/engine/rigid_motion.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// What a body's attachment did to what it is attached to, in the grid's frame: the negative of the
// momentum residual at its nodes.
struct Reaction {
  std::size_t body, attachment;
  engine::Wrench wrench;  // mean of the steps, about the grid's origin
};

// Moves the state to exactly `time`. Throws engine::StepFailure where steps fail at any length.
// `reactions`, where asked for, are means over the whole time.
void advance(const Model& model, double time, State& state, Workspace& workspace,
             std::vector<Reaction>* reactions = nullptr);

}  // namespace sinew::eulerian
