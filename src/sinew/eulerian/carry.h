// The second half of a step: from the velocities of the unknowns to the next state of a body.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// Continues velocities around the body, carries material, velocities and surface along them to
// `time`, and stores the new band. Throws engine::StepFailure where the body comes within three
// cells of its grid's border.
void carry_body(const Model& model, std::size_t body, double time, double dt, Workspace& workspace,
                BodyState& state);

}  // namespace sinew::eulerian
