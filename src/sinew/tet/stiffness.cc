#include "sinew/tet/stiffness.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/svd.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/finite_volume.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 512;

// A bulk modulus averaged around lattice centres resists only the mean change of volume; a matrix
// of single tetrahedra would resist every one. In between the two, at this factor times the
// geometric mean of bulk and shear modulus, L-BFGS needs fewest iterations (measured at kappa/mu 20
// to 1000).
constexpr double kAveragedBulk = 1.6;
// On top of a deformed shape more of it pays: solves without inertia end nearer to the balance of
// pressures. With 1.6 their first steps are six times too long, with 4 hardly one is shortened.
constexpr double kAveragedBulkDeformed = 4;

// Fibres are slack at rest; what counts is how stiff they are where they work.
constexpr double kWorkingStretch = 1.03;

struct Moduli {
  material::Lame matrix;
  double fiber;  // Pa, at rest
  const material::FiberCurves* fibers = nullptr;
};

const material::FiberCurves* find_fibers(const material::Material& tissue) {
  return std::visit(
      [](const auto& law) -> const material::FiberCurves* {
        if constexpr (requires { law.fibers; }) {
          return &law.fibers;
        } else {
          return nullptr;
        }
      },
      tissue.law);
}

std::vector<Moduli> compute_moduli(const Model& model, double averaged_bulk) {
  std::vector<Moduli> moduli;
  for (const material::Material& tissue : model.tissues) {
    material::Lame lame = small_strain_moduli(tissue);
    if (tissue.average_dilatation) {
      const double bulk = lame.lambda + 2 * lame.mu / 3;
      const double softer = std::min(bulk, averaged_bulk * std::sqrt(bulk * lame.mu));
      lame.lambda = softer - 2 * lame.mu / 3;
    }
    const material::FiberCurves* fibers = find_fibers(tissue);
    const double fiber =
        fibers == nullptr ? 0 : std::max(0.0, compute_tension_slope(*fibers, kWorkingStretch, 0.0));
    moduli.push_back({lame, fiber, fibers});
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

// What the blocks of an element are made of, equations (9) and (16).
struct Element {
  std::array<Vec3d, 4> at_rest;        // gradients of its shape functions, 1/m
  std::array<Vec3d, 4> deformed;       // the same as it is deformed
  std::array<double, 4> along{};       // at rest, along the fibre
  double mu = 0, lambda = 0;           // Pa
  double turning = 0;                  // Pa, what keeps turning free of stiffness
  Vec3d fiber;                         // unit, as deformed
  double stretching = 0, tension = 0;  // Pa, of the fibre
  double weight = 0;                   // m^3
};

Element make_element(const Model& model, const Moduli& m, std::size_t t) {
  const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
  Element e;
  e.at_rest = e.deformed = compute_gradients(rest);
  const Vec3f& f = model.fibers[t];
  e.fiber = {f.x, f.y, f.z};
  for (std::size_t i = 0; i < 4; ++i) e.along[i] = dot(e.fiber, e.at_rest[i]);
  e.mu = e.turning = m.matrix.mu;
  e.lambda = m.matrix.lambda;
  e.stretching = m.fiber;
  e.weight = rest.volume * model.fill[t];
  return e;
}

// Equation (16). Stretches below the threshold are continued by the laws; so they are here.
void deform(const Mat3d& F, const Moduli& m, double activation, Element& e) {
  const PolarSvd svd = compute_polar_svd(F);
  Vec3d s = svd.s;
  for (std::size_t i = 0; i < 3; ++i) s[i] = std::max(s[i], material::kEnergyThreshold);
  const Mat3d inverse_transposed = compose(svd.U, {1 / s.x, 1 / s.y, 1 / s.z}, svd.V);
  for (std::size_t i = 0; i < 4; ++i) e.deformed[i] = inverse_transposed * e.at_rest[i];
  double held = 0;
  if (m.fibers != nullptr && dot(e.fiber, e.fiber) > 0) {
    const Vec3d Fa = F * e.fiber;
    const double l = std::max(norm(Fa), 1e-6);
    e.fiber = Fa / l;
    e.tension = std::max(0.0, compute_tension(*m.fibers, l, activation)) / l;
    e.stretching = std::max(0.0, compute_tension_slope(*m.fibers, l, activation));
    const double cosine = dot(e.fiber, svd.U.col(2));
    held = e.tension * l * l * cosine * cosine;
  }
  // The pressure across fibres that are free to bulge, as far as turning stays without a negative
  // stiffness in the plane of the two smaller stretches.
  e.turning = std::min(e.mu * s.y * s.y, 0.5 * (e.mu * (s.y * s.y + s.z * s.z) + held));
}

// The block of two corners, per volume.
Mat3d compute_block(const Element& e, std::size_t i, std::size_t j) {
  const double fibers = e.along[i] * e.along[j];
  return Mat3d::outer(e.deformed[i], e.deformed[j]) * e.lambda +
         Mat3d::outer(e.deformed[j], e.deformed[i]) * e.turning +
         Mat3d::identity() * (e.mu * dot(e.at_rest[i], e.at_rest[j]) + e.tension * fibers) +
         Mat3d::outer(e.fiber, e.fiber) * ((e.stretching - e.tension) * fibers);
}

void add_block(const Mat3d& K, solver::Block& block) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) block[3 * i + j] += static_cast<float>(K(i, j));
  }
}

solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors,
                              const std::vector<Element>& elements) {
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
        const double weight = elements[t].weight * factors.stiffness[body_of[t]];
        for (std::size_t j = 0; j < 4; ++j) {
          add_block(compute_block(elements[t], corner, j) * weight, block_of(model.tets[t][j]));
        }
      }
    }
  });
  return entries;
}

template <class Function>
std::vector<Element> make_elements(const Model& model, double averaged_bulk,
                                   const Function& finish) {
  const std::vector<Moduli> moduli = compute_moduli(model, averaged_bulk);
  std::vector<Element> elements(model.tets.size());
  parallel_for(elements.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Moduli& m = moduli[model.tissue[t]];
      elements[t] = make_element(model, m, t);
      finish(m, t, elements[t]);
    }
  });
  return elements;
}

}  // namespace

solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors) {
  return assemble(model, factors,
                  make_elements(model, kAveragedBulk, [](const Moduli&, std::size_t, Element&) {}));
}

solver::BlockEntries assemble(const Model& model, const MatrixFactors& factors,
                              const KernelInput& input, const Field3d& positions) {
  const auto finish = [&](const Moduli& m, std::size_t t, Element& element) {
    const auto& tet = model.tets[t];
    const Mat3d Ds =
        compute_edges(positions[tet[0]], positions[tet[1]], positions[tet[2]], positions[tet[3]]);
    const Mat3d& Dm_inverse = model.rest_shapes[model.rest_shape[t]].Dm_inverse;
    const ActiveRest active = find_active_rest(model, input, t);
    element.fiber = turned(active, element.fiber);
    for (std::size_t i = 0; i < 4; ++i) {
      element.at_rest[i] = active.inverse_stretch * element.at_rest[i];
      element.along[i] = dot(element.fiber, element.at_rest[i]);
    }
    deform(compute_deformation_gradient(Ds, Dm_inverse) * active.inverse_stretch, m,
           input.activations[model.region[t]], element);
  };
  return assemble(model, factors, make_elements(model, kAveragedBulkDeformed, finish));
}

}  // namespace sinew::tet
