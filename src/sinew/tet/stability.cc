#include "sinew/tet/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/solver/conjugate_gradients.h"

namespace sinew::tet {
namespace {

double largest_entry(const std::vector<Vec3d>& values) {
  return ordered_max(values.size(), 0, [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, norm(values[i]));
    return largest;
  });
}

double smallest_spacing(const Model& model) {
  double spacing = std::numeric_limits<double>::max();
  for (const Body& body : model.bodies) spacing = std::min(spacing, body.spacing);
  return spacing;
}

}  // namespace

void update_frequency(const Model& model, const std::vector<double>& stiffness,
                      const std::vector<Vec3d>& forces, int iterations, State& state,
                      StabilityWorkspace& ws) {
  std::vector<Vec3d>& mode = state.stiffest_mode;
  for (int n = 0; n < iterations; ++n) {
    // A step small against the mesh, large against rounding: K mode from one more force evaluation.
    const double step = 1e-6 * smallest_spacing(model) / largest_entry(mode);
    ws.moved.resize(mode.size());
    for (std::size_t i = 0; i < mode.size(); ++i) {
      ws.moved[i] = state.positions[i] + mode[i] * step;
    }
    compute_elastic_forces(model, stiffness, ws.moved, ws.force, ws.changed);
    const double before = solver::weighted_dot(model.masses, mode, mode);
    for (std::size_t i = 0; i < mode.size(); ++i) {
      ws.changed[i] = (forces[i] - ws.changed[i]) / (step * model.masses[i]);  // M^-1 K mode
    }
    const double after = solver::weighted_dot(model.masses, ws.changed, ws.changed);
    if (!(after > 0) || !std::isfinite(after)) return;  // nothing is stiff, or no longer finite
    state.frequency_squared = std::sqrt(after / before);
    const double scale = 1 / std::sqrt(after);
    for (std::size_t i = 0; i < mode.size(); ++i) mode[i] = ws.changed[i] * scale;
  }
}

double critical_step(const State& state) {
  return state.frequency_squared > 0 ? 2 / std::sqrt(state.frequency_squared)
                                     : std::numeric_limits<double>::infinity();
}

}  // namespace sinew::tet
