// What the Eulerian engine shows of a state: surfaces with fields, and the certificate.
#pragma once

#include <vector>

#include "sinew/engine/frame.h"
#include "sinew/eulerian/model.h"
#include "sinew/eulerian/reactions.h"
#include "sinew/eulerian/state.h"
#include "sinew/eulerian/workspace.h"

namespace sinew::eulerian {

// Figures of one body.
struct BodyFigures {
  double volume = 0;                              // m^3, by occupancy
  double rest_volume = 0;                         // m^3, of the material in it: what it was at rest
  double surface_volume = 0;                      // m^3, enclosed by the surface that is shown
  double volume_error = 0;                        // rms of J - 1 over the filled cells
  double least_J = 1, greatest_J = 1;             // of the cells that are at least 0.3 full
  double inverted = 0;                            // points of such cells with J <= 0
  double kinetic_energy = 0, elastic_energy = 0;  // J
  Vec3d centroid{};                               // m, in the grid's frame
};

BodyFigures compute_figures(const Model& model, const State& state, std::size_t body);

std::vector<engine::BodyTopology> describe(const Model& model);
std::vector<engine::BodyFrame> observe_bodies(const Model& model, const State& state);
engine::Certificate certify(const Model& model, const State& state,
                            const StepStatistics& statistics,
                            const std::vector<Reaction>& reactions);

}  // namespace sinew::eulerian
