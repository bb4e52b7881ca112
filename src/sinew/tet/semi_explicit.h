// The papers' time step: elastic forces explicit, damping implicit, collisions on the velocity that
// moves the positions. For the tet engine's run loop.
//
// Source: docs/theory/finite_volumes.md, equations (16)-(18); teran2003 section 4.3 after Bridson
// et al. 2003.
// Departures: collisions act once more on the velocity at the end of the step, so that a resting
// body keeps no speed into its floor.
#pragma once

#include <cstdint>

#include "sinew/solver/conjugate_gradients.h"
#include "sinew/tet/contact.h"
#include "sinew/tet/forces.h"
#include "sinew/tet/stability.h"
#include "sinew/tet/state.h"

namespace sinew::tet {

// Counters and wall-clock times since they were last reset.
struct StepStatistics {
  std::uint64_t steps = 0;
  std::uint64_t halvings = 0;       // steps that failed and were tried again at half the size
  std::uint64_t cg_iterations = 0;  // of the damping solves or of Newton's
  double cg_residual = 0;           // worst relative residual
  std::uint64_t solves = 0;         // implicit stages
  std::uint64_t iterations = 0;     // of L-BFGS in them
  std::uint64_t newton_iterations = 0;
  std::uint64_t backtracks = 0;   // of their line searches
  std::uint64_t unconverged = 0;  // steps kept although their solve did not reach its tolerance
  double residual = 0;            // worst relative residual of the solves
  double shortest_step = 0;       // s, 0 where none was taken
  double ms_solve = 0;            // of the implicit stages
  double ms_force = 0, ms_damping = 0, ms_contact = 0, ms_stability = 0;
};

struct StepWorkspace {
  ForceWorkspace force;
  StabilityWorkspace stability;
  solver::CgWorkspace cg;
  std::vector<Vec3d> forces;  // (num_nodes) elastic, at the state's time and positions
  bool forces_valid = false;  // whether they (and force.F) belong to the present state
  std::vector<Vec3d> right_side;
  State next;
  StepStatistics statistics;
};

// Moves the state to exactly `time`. Throws engine::StepFailure where the step would have to be
// smaller than settings allow; the state is then the last good one.
void advance(const Model& model, double time, State& state, StepWorkspace& workspace);

// Elastic forces (and force.F) at the present state, computed only where they are not known.
void refresh_forces(const Model& model, const State& state, StepWorkspace& workspace);

}  // namespace sinew::tet
