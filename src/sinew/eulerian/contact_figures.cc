#include "sinew/eulerian/contact_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/eulerian/prepare.h"

namespace sinew::eulerian {

double measure_overlap(const Model& model, const State& state, std::size_t first,
                       std::size_t second) {
  BodyWork a, b;
  prepare_body(model, state, first, state.time, a);
  prepare_body(model, state, second, state.time, b);
  const Grid& grid = model.grids[model.bodies[first].grid].grid;
  std::vector<double> fill(static_cast<std::size_t>(grid.nodes[0]) *
                           static_cast<std::size_t>(grid.nodes[1]) *
                           static_cast<std::size_t>(grid.nodes[2]));
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    fill[to_grid(grid, a.block, a.cells.node[c])] = a.cells.fill[c];
  }
  double twice = 0;
  for (std::size_t c = 0; c < b.cells.size(); ++c) {
    twice += std::max(0.0, fill[to_grid(grid, b.block, b.cells.node[c])] + b.cells.fill[c] - 1);
  }
  return twice * grid.spacing * grid.spacing * grid.spacing / model.bodies[first].rest_volume;
}

double measure_gap(const ContactRows& rows) {
  double area = 0, sum = 0;
  for (std::size_t r = 0; r < rows.cells.size(); ++r) {
    area += rows.area[r];
    sum += rows.area[r] * std::abs(rows.gap[r]);
  }
  return sum / area;
}

}  // namespace sinew::eulerian
