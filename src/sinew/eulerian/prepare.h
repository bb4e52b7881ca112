// The first half of a step: from the state of a body to its filled cells, forces, masses and held
// nodes. Depends on time, not on the step's length.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// `time` is that of the activation which acts.
void prepare_body(const Model& model, const State& state, std::size_t body, double time,
                  BodyWork& work);
// All of them, side by side.
void prepare_bodies(const Model& model, const State& state, double time, Workspace& workspace);

// The step above which explicit elastic forces are unstable, s.
double critical_step(const Model& model, const Workspace& workspace);

}  // namespace sinew::eulerian
