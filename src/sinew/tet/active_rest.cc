#include "sinew/tet/active_rest.h"

#include <algorithm>

#include "sinew/tet/finite_volume.h"

namespace sinew::tet {

void add_active_shape(const BodySettings& settings, std::uint32_t body, Model& model) {
  model.active_stretches.resize(model.tets.size());
  if (!settings.active_shape) return;
  const Body& b = model.bodies[body];
  std::vector<Vec3d> active;  // places of the nodes
  for (std::uint32_t n = b.nodes.begin; n < b.nodes.end; ++n) {
    active.push_back(anatomy::evaluate(*settings.active_shape, model.rest_positions[n]).place);
  }
  for (std::uint32_t t = b.tets.begin; t < b.tets.end; ++t) {
    const auto at = [&](std::size_t c) { return active[model.tets[t][c] - b.nodes.begin]; };
    const Mat3d A = compute_edges(at(0), at(1), at(2), at(3)) *
                    model.rest_shapes[model.rest_shape[t]].Dm_inverse;
    model.active_stretches[t] = anatomy::find_principal_stretches(A, true);
  }
}

void finish_active_shapes(Model& model) {
  for (std::size_t t = 0; t < model.active_stretches.size(); ++t) {
    if (has_active_shape(model, t)) return;
  }
  model.active_stretches.clear();
}

}  // namespace sinew::tet
