// The second half of a step: from the velocities of the unknowns to the next state of the bodies.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// Continues velocities around each body, carries material, velocities and surface along them to
// `time`, and stores the new band. Throws engine::StepFailure where a body comes within three
// cells of its grid's border.
void carry_bodies(const Model& model, double time, double dt, Workspace& workspace, State& state);

}  // namespace sinew::eulerian
