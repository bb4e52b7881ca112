// The largest step that the explicit part of the integrator bears: 2 / omega of the fastest
// oscillation. For the step control.
//
// Source: docs/theory/finite_volumes.md, equation (18). omega^2 is the largest eigenvalue of
// M^-1 K, found by power iteration on differences of forces, a mode for each body; the modes are
// kept in the state, so that one iteration every few steps follows them.
#pragma once

#include "sinew/tet/forces.h"
#include "sinew/tet/state.h"

namespace sinew::tet {

// Power iterations that find the modes from a random direction to a few percent.
inline constexpr int kFirstIterations = 40;

struct StabilityWorkspace {
  ForceWorkspace force;
  std::vector<Vec3d> moved, changed;
};

// Improves state.stiffest_mode and state.frequency_squared by `iterations` power iterations.
// `forces` are the elastic forces at state.positions with the same input.
void update_frequency(const Model& model, const KernelInput& input,
                      const std::vector<Vec3d>& forces, int iterations, State& state,
                      StabilityWorkspace& workspace);

// Critical step in seconds; infinite where nothing is stiff. Precondition: frequency is known.
double critical_step(const State& state);

}  // namespace sinew::tet
