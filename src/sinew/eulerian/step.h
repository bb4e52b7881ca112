// A step of the Eulerian engine, and as many as it takes to reach a time.
// docs/theory/eulerian.md tells the life of one.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/reactions.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// Moves the state to exactly `time`. Throws engine::StepFailure where steps fail at any length.
// `reactions`, where asked for, become means over the whole time, for every attachment, bone and
// tendon.
void advance(const Model& model, double time, State& state, Workspace& workspace,
             Reactions* reactions = nullptr);

}  // namespace sinew::eulerian
