#include "sinew/tet/forces.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/material/invertible.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/finite_volume.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kTetGrain = 512;
constexpr std::size_t kNodeGrain = 1024;

Mat3d edges_of(const std::vector<Vec3d>& values, const std::array<std::uint32_t, 4>& tet) {
  return compute_edges(values[tet[0]], values[tet[1]], values[tet[2]], values[tet[3]]);
}

// Calls body(tet) for the tetrahedra of a body, in parallel.
template <class Function>
void for_each_tet(const Body& body, const Function& function) {
  parallel_for(body.tets.end - body.tets.begin, kTetGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = body.tets.begin + begin; t < body.tets.begin + end; ++t) function(t);
  });
}

using Fiber = material::Fiber<double>;

Fiber fiber_of(const Model& model, const KernelInput& input, std::size_t t) {
  const Vec3f& a = model.fibers[t];
  return {{a.x, a.y, a.z}, input.activations[model.region[t]]};
}

// Calls function(law, averaged, stiffness, tet) for all tetrahedra, in parallel, the law chosen
// once for each stretch of tetrahedra of the same tissue.
template <class Function>
void for_each_law(const Model& model, const KernelInput& input, const Function& function) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Range tets = model.bodies[b].tets;
    parallel_for(tets.end - tets.begin, kTetGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = tets.begin + begin; t < tets.begin + end;) {
        const std::uint16_t tissue = model.tissue[t];
        std::size_t last = t;
        while (last < tets.begin + end && model.tissue[last] == tissue) ++last;
        const material::Material& material = model.tissues[tissue];
        std::visit(
            [&](const auto& base) {
              const material::Invertible law(scaled(base, input.stiffness[b]));
              for (; t < last; ++t)
                function(law, material.average_dilatation, input.stiffness[b], t);
            },
            material.law);
      }
    });
  }
}

void compute_gradients(const Model& model, const std::vector<Vec3d>& positions,
                       ForceWorkspace& ws) {
  ws.F.resize(model.tets.size());
  parallel_for(model.tets.size(), kTetGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      const Mat3d Ds = edges_of(positions, model.tets[t]);
      ws.F[t] = compute_deformation_gradient(Ds, rest.Dm_inverse);
    }
  });
}

// muscle.md, equation (14): J averaged over the tetrahedra around each lattice centre.
void average_dilatations(const Model& model, ForceWorkspace& ws) {
  ws.dilatations.resize(model.rest_positions.size());
  parallel_for(ws.dilatations.size(), kNodeGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      ws.dilatations[n] = 1;
      if (model.cell_volumes[n] <= 0) continue;
      double sum = 0;
      for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
        const std::uint32_t t = model.corners[i].tet;
        if (!model.tissues[model.tissue[t]].average_dilatation) continue;
        sum += 0.5 * model.rest_shapes[model.rest_shape[t]].volume * model.fill[t] *
               determinant(ws.F[t]);
      }
      ws.dilatations[n] = sum / model.cell_volumes[n];
    }
  });
}

// Corotated elasticity has no part that could be averaged.
template <class L>
Mat3d compute_stress(const material::Invertible<L>& law, bool averaged, Continuation continuation,
                     const Mat3d& F, const Fiber& fiber) {
  const bool exact = continuation == Continuation::kEnergy;
  if constexpr (material::TissueLaw<L>) {
    if (averaged) {
      return exact ? distortion_gradient_stress(law, F, fiber) : distortion_stress(law, F, fiber);
    }
  }
  return exact ? gradient_stress(law, F, fiber) : stress(law, F, fiber);
}

template <class L>
double compute_energy(const material::Invertible<L>& law, bool averaged, const Mat3d& F,
                      const Fiber& fiber) {
  if constexpr (material::TissueLaw<L>) {
    if (averaged) return distortion_energy(law, F, fiber);
  }
  return energy_density(law, F, fiber);
}

// muscle.md, equation (15): the mean pressure of the two cells, whose moduli mix the tissues in
// them.
double mean_pressure(const Model& model, double factor, const ForceWorkspace& ws, std::size_t t) {
  const auto pressure = [&](std::uint32_t n) {
    return material::continued_volume_pressure(factor * model.cell_bulks[n], ws.dilatations[n]);
  };
  return 0.5 * (pressure(model.tets[t][2]) + pressure(model.tets[t][3]));
}

// The tetrahedron's part of its two cells' energies, per volume.
template <class L>
double mean_volume_energy(const Model& model, const material::Invertible<L>& law,
                          const ForceWorkspace& ws, std::size_t t) {
  const auto energy = [&](std::uint32_t n) {
    return material::continued_volume_energy(bulk_modulus(law.law), ws.dilatations[n]);
  };
  return 0.5 * (energy(model.tets[t][2]) + energy(model.tets[t][3]));
}

// Equation (6), last step: each node sums the forces of its corners. Node 0 of a tetrahedron gets
// minus the sum of the other three.
void gather_forces(const Model& model, const std::vector<Mat3d>& element_forces,
                   std::vector<Vec3d>& forces) {
  forces.resize(model.rest_positions.size());
  parallel_for(forces.size(), kNodeGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      Vec3d sum{};
      for (std::uint32_t i = model.first_corner[n]; i < model.first_corner[n + 1]; ++i) {
        const auto [tet, corner] = model.corners[i];
        const Mat3d& G = element_forces[tet];
        sum += corner == 0 ? -(G.col(0) + G.col(1) + G.col(2)) : G.col(corner - 1);
      }
      forces[n] = sum;
    }
  });
}

}  // namespace

std::vector<double> compute_stiffness(const Model& model, double time) {
  std::vector<double> factors;
  for (const Body& body : model.bodies) {
    factors.push_back(body.stiffness ? engine::evaluate(*body.stiffness, time) : 1.0);
  }
  return factors;
}

void compute_elastic_forces(const Model& model, const KernelInput& input,
                            const std::vector<Vec3d>& positions, ForceWorkspace& ws,
                            std::vector<Vec3d>& forces) {
  compute_gradients(model, positions, ws);
  average_dilatations(model, ws);
  ws.element_forces.resize(model.tets.size());
  for_each_law(model, input, [&](const auto& law, bool averaged, double factor, std::size_t t) {
    const ActiveRest active = find_active_rest(model, input, t);
    const Fiber fiber = turned(active, fiber_of(model, input, t));
    const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
    const Mat3d F = ws.F[t] * active.inverse_stretch;
    Mat3d P = compute_stress(law, averaged, input.continuation, F, fiber);
    if (averaged) P += cofactor(F) * mean_pressure(model, factor, ws, t);
    ws.element_forces[t] =
        compute_piola_forces(P * active.inverse_stretch, rest.Bm) * model.fill[t];
  });
  gather_forces(model, ws.element_forces, forces);
}

std::vector<double> compute_energy_densities(const Model& model, const KernelInput& input,
                                             const ForceWorkspace& ws) {
  std::vector<double> energies(model.tets.size());
  for_each_law(model, input, [&](const auto& law, bool averaged, double /*factor*/, std::size_t t) {
    const ActiveRest active = find_active_rest(model, input, t);
    const Fiber fiber = turned(active, fiber_of(model, input, t));
    energies[t] = compute_energy(law, averaged, ws.F[t] * active.inverse_stretch, fiber);
    if (averaged) energies[t] += mean_volume_energy(model, law, ws, t);
  });
  return energies;
}

void apply_damping(const Model& model, const std::vector<double>& stiffness,
                   const std::vector<Vec3d>& velocities, ForceWorkspace& ws,
                   std::vector<Vec3d>& result) {
  std::vector<material::Lame> moduli;  // of the tissues, times their damping
  for (const material::Material& tissue : model.tissues) {
    const material::Lame lame = small_strain_moduli(tissue);
    const double beta = tissue.damping.stiffness_time;
    moduli.push_back({lame.mu * beta, lame.lambda * beta});
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    for_each_tet(model.bodies[b], [&](std::size_t t) {
      // finite_volumes.md, equations (14) and (15): the stress of the Green strain's rate, which
      // grows with |F|^2 and is divided by it where an element is far stretched; it would creep
      // back only.
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      const material::Lame& m = moduli[model.tissue[t]];
      const Mat3d F_rate = edges_of(velocities, model.tets[t]) * rest.Dm_inverse;
      const Mat3d E_rate = symmetric_part(transpose(ws.F[t]) * F_rate);
      const Mat3d S = E_rate * (2 * m.mu) + Mat3d::identity() * (m.lambda * trace(E_rate));
      const double weight =
          stiffness[b] * model.fill[t] / std::max(1.0, inner(ws.F[t], ws.F[t]) / 3);
      ws.element_forces[t] = compute_piola_forces(ws.F[t] * S, rest.Bm) * -weight;
    });
  }
  gather_forces(model, ws.element_forces, result);
  for (std::size_t n = 0; n < result.size(); ++n) {
    result[n] += velocities[n] * model.mass_damping[n];
  }
}

bool has_damping(const Model& model) {
  return std::any_of(model.tissues.begin(), model.tissues.end(), [](const auto& tissue) {
    return tissue.damping.mass_rate > 0 || tissue.damping.stiffness_time > 0;
  });
}

double compute_largest_rate(const Model& model, const std::vector<Vec3d>& velocities) {
  return ordered_max(model.tets.size(), 0, [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t t = begin; t < end; ++t) {
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      const Mat3d F_rate = edges_of(velocities, model.tets[t]) * rest.Dm_inverse;
      largest = std::max(largest, inner(F_rate, F_rate));
    }
    return std::sqrt(largest);
  });
}

}  // namespace sinew::tet
