#include "sinew/brick/static_solution.h"

#include <cmath>
#include <stdexcept>

#include "sinew/brick/direct_solver.h"

namespace sinew::brick {

std::vector<char> free_components(std::span<const char> held) {
  std::vector<char> out(3 * held.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = held[i / 3] == 0 ? 1 : 0;
  return out;
}

StaticSolution solve_static(const SparseMatrix& stiffness, std::span<const Vec3d> loads,
                            std::span<const char> held) {
  std::vector<double> right;
  for (std::size_t n = 0; n < loads.size(); ++n) {
    if (held[n] == 0) right.insert(right.end(), {loads[n].x, loads[n].y, loads[n].z});
  }
  DirectSolver solver;
  const bool done = solver.factorise(restrict_to(stiffness, free_components(held)));
  if (!done || solver.num_negative_pivots() > 0) {
    throw std::invalid_argument("parts of the body can move without resistance; hold more nodes");
  }
  const std::vector<double> u = solver.solve(right);
  StaticSolution out;
  out.displacements.resize(loads.size());
  std::size_t k = 0;
  for (std::size_t n = 0; n < loads.size(); ++n) {
    if (held[n] != 0) continue;
    out.displacements[n] = {u[k], u[k + 1], u[k + 2]};
    if (!is_finite(out.displacements[n])) {
      throw std::invalid_argument("parts of the body can move without resistance; hold more nodes");
    }
    k += 3;
  }
  out.reactions = multiply(stiffness, out.displacements);
  for (std::size_t n = 0; n < loads.size(); ++n) {
    out.reactions[n] = held[n] != 0 ? out.reactions[n] - loads[n] : Vec3d{};
  }
  return out;
}

}  // namespace sinew::brick
