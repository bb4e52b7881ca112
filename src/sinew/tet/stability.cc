#include "sinew/tet/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::tet {
namespace {

double largest_entry(const std::vector<Vec3d>& values, const Range& nodes) {
  double largest = 0;
  for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
    largest = std::max(largest, norm(values[n]));
  }
  return largest;
}

double kinetic_size(const Model& model, const std::vector<Vec3d>& values, const Range& nodes) {
  double sum = 0;
  for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
    sum += model.masses[n] * dot(values[n], values[n]);
  }
  return std::sqrt(sum);
}

}  // namespace

void update_frequency(const Model& model, const KernelInput& input,
                      const std::vector<Vec3d>& forces, int iterations, State& state,
                      StabilityWorkspace& ws) {
  std::vector<Vec3d>& mode = state.stiffest_mode;
  std::vector<double> steps(model.bodies.size());
  for (int k = 0; k < iterations; ++k) {
    ws.moved = state.positions;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      // Small against the mesh, large against rounding: K mode from one more force evaluation.
      steps[b] = 1e-6 * body.spacing / largest_entry(mode, body.nodes);
      for (std::uint32_t n = body.nodes.begin; n < body.nodes.end; ++n) {
        ws.moved[n] += mode[n] * steps[b];
      }
    }
    compute_elastic_forces(model, input, ws.moved, ws.force, ws.changed);
    state.frequency_squared = 0;
    // Bodies do not act on each other: each keeps a mode of its own, or a stiff one would drain the
    // others' until they are lost to rounding.
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Range& nodes = model.bodies[b].nodes;
      const double before = kinetic_size(model, mode, nodes);
      for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) {
        ws.changed[n] =
            (forces[n] - ws.changed[n]) * (model.inverse_masses[n] / steps[b]);  // M^-1 K mode
      }
      const double after = kinetic_size(model, ws.changed, nodes);
      if (!(after > 0) || !std::isfinite(after)) continue;  // nothing is stiff here, or not finite
      state.frequency_squared = std::max(state.frequency_squared, after / before);
      for (std::uint32_t n = nodes.begin; n < nodes.end; ++n) mode[n] = ws.changed[n] / after;
    }
  }
}

double critical_step(const State& state) {
  return state.frequency_squared > 0 ? 2 / std::sqrt(state.frequency_squared)
                                     : std::numeric_limits<double>::infinity();
}

}  // namespace sinew::tet
