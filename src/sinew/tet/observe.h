// What the tet engine shows of itself: surfaces with fields, and the certificate of a frame.
#pragma once

#include <vector>

#include "sinew/engine/frame.h"
#include "sinew/tet/semi_explicit.h"

namespace sinew::tet {

// Per tetrahedron, computed once a frame.
struct Observation {
  std::vector<double> volume_ratios;     // (num_tets) J
  std::vector<double> energy_densities;  // (num_tets) J/m^3
  std::vector<double> fiber_stretches;   // (num_tets) |F a|, 1 where there is no fibre
  std::vector<double> activations;       // (num_tets)
  std::vector<Vec3d> reactions;          // (num_attachments) N, on what the tissue is attached to
};

// Precondition: the workspace's forces are those of the state.
Observation make_observation(const Model& model, const State& state,
                             const StepWorkspace& workspace);

std::vector<engine::BodyTopology> describe(const Model& model);

std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state,
                                              const Observation& observation);

engine::Certificate certify(const Model& model, const State& state, const Observation& observation,
                            const StepStatistics& statistics);

}  // namespace sinew::tet
