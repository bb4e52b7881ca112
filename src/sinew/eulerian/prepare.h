// The first half of a step: from the state of a body to its filled cells, forces, masses and held
// nodes.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// `time` is that of the activation which acts.
void prepare_body(const Model& model, const State& state, std::size_t body, double time,
                  BodyWork& work);
// The same of all bodies, side by side, in two parts: what the state alone says, once a step, and
// what activation at `time` changes, again where another length of the step is tried.
void load_bodies(const Model& model, const State& state, Workspace& workspace);
void find_forces(const Model& model, double time, Workspace& workspace);

// The step above which explicit elastic forces are unstable, s.
double critical_step(const Model& model, const Workspace& workspace);

}  // namespace sinew::eulerian
