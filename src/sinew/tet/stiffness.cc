#include "sinew/tet/stiffness.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 512;

// A bulk modulus averaged around lattice centres resists only the mean change of volume; a matrix
// of single tetrahedra would resist every one. In between the two, at this factor times the
// geometric mean of bulk and shear modulus, L-BFGS needs fewest iterations (measured at kappa/mu 20
// to 1000).
constexpr double kAveragedBulk = 1.6;

// Fibres are slack at rest; what counts is how stiff they are where they work.
constexpr double kWorkingStretch = 1.03;

struct Moduli {
  material::Lame matrix;
  double fiber;  // Pa
};

double compute_fiber_modulus(const material::Muscle& law) {
  return std::max(0.0, compute_tension_slope(law.fibers, kWorkingStretch, 0.0));
}
double compute_fiber_modulus(const material::Blemker& law) {
  return std::max(0.0, compute_tension_slope(law.fibers, kWorkingStretch, 0.0));
}
template <class L>
double compute_fiber_modulus(const L& /*without fibres*/) {
  return 0;
}

std::vector<Moduli> compute_moduli(const Model& model) {
  std::vector<Moduli> moduli;
  for (const material::Material& tissue : model.tissues) {
    material::Lame lame = small_strain_moduli(tissue);
    if (tissue.average_dilatation) {
      const double bulk = lame.lambda + 2 * lame.mu / 3;
      const double softer = std::min(bulk, kAveragedBulk * std::sqrt(bulk * lame.mu));
      lame.lambda = softer - 2 * lame.mu / 3;
    }
    const double fiber =
        std::visit([](const auto& law) { return compute_fiber_modulus(law); }, tissue.law);
    moduli.push_back({lame, fiber});
  }
  return moduli;
}

std::vector<std::uint32_t> find_body_of_tets(const Model& model) {
  std::vector<std::uint32_t> result(model.tets.size());
  for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
    const Range tets = model.bodies[b].tets;
    std::fill(result.begin() + tets.begin, result.begin() + tets.end, b);
  }
  return result;
}

// Nodes that share a tetrahedron with n, n itself among them, increasing.
void find_neighbours(const Model& model, std::size_t n, std::vector<std::uint32_t>& found) {
  found.clear();
  for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
    for (const std::uint32_t m : model.tets[model.corners[i].tet]) found.push_back(m);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

solver::BlockEntries make_pattern(const Model& model) {
  const std::size_t num_nodes = model.rest_positions.size();
  solver::BlockEntries entries;
  entries.first.resize(num_nodes + 1);
  std::vector<std::uint32_t> neighbours;
  for (std::size_t n = 0; n < num_nodes; ++n) {
    find_neighbours(model, n, neighbours);
    entries.columns.insert(entries.columns.end(), neighbours.begin(), neighbours.end());
    entries.first[n + 1] = static_cast<std::uint32_t>(entries.columns.size());
  }
  entries.blocks.resize(entries.columns.size());
  return entries;
}

// Gradients of the four shape functions, 1/m.
std::array<Vec3d, 4> compute_gradients(const RestShape& rest) {
  std::array<Vec3d, 4> gradients{};
  for (std::size_t i = 1; i < 4; ++i) {
    gradients[i] = rest.Bm.col(i - 1) * (-1 / rest.volume);
    gradients[0] -= gradients[i];
  }
  return gradients;
}

// Equation (9): the block of two corners, per volume.
Mat3d compute_block(const Moduli& m, const Vec3d& fiber, const Vec3d& a, const Vec3d& b) {
  const material::Lame& lame = m.matrix;
  return Mat3d::outer(a, b) * lame.lambda + Mat3d::outer(b, a) * lame.mu +
         Mat3d::identity() * (lame.mu * dot(a, b)) +
         Mat3d::outer(fiber, fiber) * (m.fiber * dot(fiber, a) * dot(fiber, b));
}

void add_block(const Mat3d& K, solver::Block& block) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) block[3 * i + j] += static_cast<float>(K(i, j));
  }
}

}  // namespace

solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors) {
  const std::vector<Moduli> moduli = compute_moduli(model);
  const std::vector<std::uint32_t> body_of = find_body_of_tets(model);
  solver::BlockEntries entries = make_pattern(model);
  parallel_for(entries.num_rows(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const auto row = entries.columns.begin() + entries.first[n];
      const auto row_end = entries.columns.begin() + entries.first[n + 1];
      const auto block_of = [&](std::uint32_t m) -> solver::Block& {
        return entries.blocks[entries.first[n] +
                              static_cast<std::size_t>(std::lower_bound(row, row_end, m) - row)];
      };
      add_block(Mat3d::identity() * (factors.inertia * model.masses[n]),
                block_of(static_cast<std::uint32_t>(n)));
      for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
        const auto [t, corner] = model.corners[i];
        const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
        const std::array<Vec3d, 4> gradients = compute_gradients(rest);
        const Vec3f& f = model.fibers[t];
        const Vec3d fiber{f.x, f.y, f.z};
        const double weight = rest.volume * model.fill[t] * factors.stiffness[body_of[t]];
        for (std::size_t j = 0; j < 4; ++j) {
          const Mat3d K =
              compute_block(moduli[model.tissue[t]], fiber, gradients[corner], gradients[j]);
          add_block(K * weight, block_of(model.tets[t][j]));
        }
      }
    }
  });
  return entries;
}

}  // namespace sinew::tet
