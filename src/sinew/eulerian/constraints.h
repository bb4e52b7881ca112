// All constraints of a step in one system: volumes, close contacts and obstacles, and its solve by
// a primal-dual active set (fan2014 eq. 19). docs/theory/eulerian.md, eq. 16.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/schur.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

void make_rows(const Model& model, const State& state, double dt, Workspace& workspace);

// Velocities and multipliers of a step, which belong together also where the active set did not
// agree with them; iterations are those of all solves.
SolveReport solve_rows(const Model& model, double dt, Workspace& workspace);

// Keeps the multipliers as pressures, from which the next step begins.
void keep_multipliers(const Model& model, double dt, const Workspace& workspace, State& state);

}  // namespace sinew::eulerian
