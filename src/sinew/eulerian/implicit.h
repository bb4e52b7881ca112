// The implicit step's solve: MINRES on [A G^T; G -(L + C)] with A = M + dt^2 K, the tangent of
// W = mu/2 I1, one scalar matrix for x, y and z. docs/theory/eulerian.md, eqs. 11 and 12.
//
// Departure from fan2014, whose elastic forces are explicit: that is where its jiggling came from.
#pragma once

#include "sinew/eulerian/model.h"
#include "sinew/eulerian/schur.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// Sets workspace.velocity and the rows' multipliers. Preconditions: masses, momenta and rows are
// there, cell stiffnesses too.
SolveReport solve_implicit(const Model& model, double dt, Workspace& workspace);

}  // namespace sinew::eulerian
