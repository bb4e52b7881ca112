// Implicit time steps of the tet engine: backward Euler, TR-BDF2 and quasi-statics, each a
// minimisation of an incremental potential. For the tet engine's run loop.
//
// Source: docs/theory/implicit.md, equations (1)-(5); Bank et al. 1985 (TR-BDF2).
#pragma once

#include <memory>

#include "sinew/tet/semi_explicit.h"
#include "sinew/tet/stage.h"

namespace sinew::tet {

// The stage of a backward Euler step of size h from a state, equation (3); activations are those at
// its end.
Stage make_backward_euler_stage(const Model& model, const State& state, double h,
                                const std::vector<double>& activations);

// Moves the state to exactly `time` in equal steps no longer than the settings allow. A step whose
// solve fails is halved; where that does not help either, the best state found is kept and counted
// in statistics.unconverged. Throws engine::StepFailure only where nothing finite was found.
// `wrenches`, where given: (num_bones) set to the mean of what the tissue does to each bone on the
// way; of backward Euler and quasi-statics.
void advance_implicit(const Model& model, double time, State& state, StageSolver& solver,
                      StepStatistics& statistics, std::vector<engine::Wrench>* wrenches = nullptr);

}  // namespace sinew::tet
