#include "sinew/tet/forces.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/material/invertible.h"
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

void compute_elastic_forces(const Model& model, const std::vector<double>& stiffness,
                            const std::vector<Vec3d>& positions, ForceWorkspace& ws,
                            std::vector<Vec3d>& forces) {
  ws.F.resize(model.tets.size());
  ws.element_forces.resize(model.tets.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    std::visit(
        [&](const auto& base) {
          const material::Invertible law(scaled(base, stiffness[b]));
          for_each_tet(model.bodies[b], [&](std::size_t t) {
            const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
            const Mat3d Ds = edges_of(positions, model.tets[t]);
            ws.F[t] = compute_deformation_gradient(Ds, rest.Dm_inverse);
            ws.element_forces[t] =
                compute_piola_forces(stress(law, ws.F[t]), rest.Bm) * model.fill[t];
          });
        },
        model.bodies[b].material.law);
  }
  gather_forces(model, ws.element_forces, forces);
}

std::vector<double> compute_energy_densities(const Model& model,
                                             const std::vector<double>& stiffness,
                                             const ForceWorkspace& ws) {
  std::vector<double> energies(model.tets.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    std::visit(
        [&](const auto& base) {
          const material::Invertible law(scaled(base, stiffness[b]));
          for_each_tet(model.bodies[b],
                       [&](std::size_t t) { energies[t] = energy_density(law, ws.F[t]); });
        },
        model.bodies[b].material.law);
  }
  return energies;
}

void apply_damping(const Model& model, const std::vector<double>& stiffness,
                   const std::vector<Vec3d>& velocities, ForceWorkspace& ws,
                   std::vector<Vec3d>& result) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const material::Material& material = model.bodies[b].material;
    const material::Lame moduli =
        std::visit([](const auto& law) { return small_strain_moduli(law); }, material.law);
    const double beta = material.damping.stiffness_time * stiffness[b];
    for_each_tet(model.bodies[b], [&](std::size_t t) {
      // Equations (14) and (15): the stress of the Green strain's rate, which grows with |F|^2 and
      // is divided by it where an element is far stretched; it would creep back only.
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      const Mat3d F_rate = edges_of(velocities, model.tets[t]) * rest.Dm_inverse;
      const Mat3d E_rate = symmetric_part(transpose(ws.F[t]) * F_rate);
      const Mat3d S =
          E_rate * (2 * moduli.mu) + Mat3d::identity() * (moduli.lambda * trace(E_rate));
      const double weight = beta * model.fill[t] / std::max(1.0, inner(ws.F[t], ws.F[t]) / 3);
      ws.element_forces[t] = compute_piola_forces(ws.F[t] * S, rest.Bm) * -weight;
    });
  }
  gather_forces(model, ws.element_forces, result);
  for (const Body& body : model.bodies) {
    const double rate = body.material.damping.mass_rate;
    for (std::uint32_t n = body.nodes.begin; n < body.nodes.end && rate > 0; ++n) {
      result[n] += velocities[n] * (rate * model.masses[n]);
    }
  }
}

bool has_damping(const Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body& body) {
    const material::Damping& damping = body.material.damping;
    return damping.mass_rate > 0 || damping.stiffness_time > 0;
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
