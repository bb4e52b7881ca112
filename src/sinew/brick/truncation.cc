#include "sinew/brick/truncation.h"

#include <algorithm>
#include <stdexcept>

#include "sinew/brick/direct_solver.h"
#include "sinew/brick/static_solution.h"

namespace sinew::brick {
namespace {

// (K + shift M)^-1 f at free nodes: a shift so small that it moves the answer by a millionth.
std::vector<Vec3d> solve_shifted(const Matrices& matrices, double shift, std::span<const Vec3d> f,
                                 std::span<const char> held) {
  SparseMatrix A = matrices.stiffness;
  const SparseMatrix& M = matrices.mass;
  for (std::size_t n = 0; n < M.rows(); ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = M.first[n]; k < M.first[n + 1]; ++k) {
        A.values[A.first[3 * n + i] + 3 * (k - M.first[n]) + i] += shift * M.values[k];
      }
    }
  }
  std::vector<double> right;
  for (std::size_t n = 0; n < f.size(); ++n) {
    if (held[n] == 0) right.insert(right.end(), {f[n].x, f[n].y, f[n].z});
  }
  DirectSolver solver;
  if (!solver.factorise(restrict_to(A, free_components(held)))) {
    throw std::invalid_argument("the stiffness of the mesh cannot be factorised");
  }
  const std::vector<double> x = solver.solve(right);
  std::vector<Vec3d> out(f.size());
  std::size_t k = 0;
  for (std::size_t n = 0; n < f.size(); ++n) {
    if (held[n] != 0) continue;
    out[n] = {x[k], x[k + 1], x[k + 2]};
    k += 3;
  }
  return out;
}

}  // namespace

Truncation estimate_truncation(const Matrices& matrices, const Modes& modes,
                               std::span<const Vec3d> loads, std::span<const char> held,
                               double tolerance) {
  std::vector<Vec3d> f(loads.begin(), loads.end());
  for (std::size_t j = 0; j < modes.num_rigid; ++j) {  // f -= M phi (phi . f)
    const double part = dot_all(modes.shapes[j], loads);
    const std::vector<Vec3d> inertia = compute_loads(matrices.mass, modes.shapes[j]);
    for (std::size_t n = 0; n < f.size(); ++n) f[n] -= inertia[n] * part;
  }
  const std::size_t first = modes.num_rigid;
  const double lowest = first < modes.size() ? modes.frequencies[first] : 1;
  const std::vector<Vec3d> u = solve_shifted(matrices, 1e-6 * lowest * lowest, f, held);
  const double whole = dot_all(f, u);
  if (!(whole > 1e-20 * dot_all(loads, loads))) {
    throw std::invalid_argument("the load moves the body as a whole; no mode answers to it");
  }
  Truncation out;
  double kept = 0;
  for (std::size_t j = 0; j <= modes.size(); ++j) {
    out.losses.push_back(std::max(1 - kept / whole, 0.0));
    if (j == modes.size()) break;
    if (j < first) continue;
    const double part = dot_all(modes.shapes[j], f) / modes.frequencies[j];
    kept += part * part;
  }
  const auto enough = std::find_if(out.losses.begin(), out.losses.end(),
                                   [tolerance](double loss) { return loss <= tolerance; });
  out.suggested = std::min(static_cast<std::size_t>(enough - out.losses.begin()), modes.size());
  return out;
}

}  // namespace sinew::brick
