#include "sinew/tet/kernel_side.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/material/invertible.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/finite_volume.h"

namespace sinew::tet {
namespace {

constexpr std::size_t kGrain = 256;

template <class Real>
Mat3d compute_gradient(const Model& model, std::uint32_t t, const Field3<Real>& values) {
  const auto at = [&](std::size_t c) {
    const Vec3<Real> x = values[model.tets[t][c]];
    return Vec3d{static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
  };
  return compute_edges(at(0), at(1), at(2), at(3)) *
         model.rest_shapes[model.rest_shape[t]].Dm_inverse;
}

material::Fiber<double> fiber_of(const Model& model, const KernelInput& input, std::uint32_t t) {
  const Vec3f& a = model.fibers[t];
  return {{double{a.x}, double{a.y}, double{a.z}}, input.activations[model.region[t]]};
}

// Calls function(law) with the law of a tetrahedron, its moduli scaled.
template <class Function>
auto with_law(const Model& model, const KernelInput& input, std::uint32_t t,
              const Function& function) {
  const double factor = input.stiffness[model.regions[model.region[t]].body];
  return std::visit([&](const auto& law) { return function(scaled(law, factor)); },
                    model.tissues[model.tissue[t]].law);
}

// Positive semidefinite in place of the exact change: the stiffness of small strains, carried by F.
Mat3d stress_change_stand_in(const material::Lame& moduli, const Mat3d& F, const Mat3d& dF) {
  const Mat3d E = symmetric_part(transpose(F) * dF);
  const double lambda = std::max(moduli.lambda, 0.0);
  return F * (E * (2 * moduli.mu) + Mat3d::identity() * (lambda * trace(E)));
}

}  // namespace

SideList::SideList(const Model& model, std::vector<std::uint32_t> tets)
    : tets_(std::move(tets)), element_forces_(tets_.size()) {
  struct Place {
    std::uint32_t node;
    Corner corner;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < tets_.size(); ++i) {
    for (std::uint32_t c = 0; c < 4; ++c) places.push_back({model.tets[tets_[i]][c], {i, c}});
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.node < b.node; });
  for (const Place& place : places) {
    if (nodes_.empty() || nodes_.back() != place.node) {
      nodes_.push_back(place.node);
      first_corner_.push_back(static_cast<std::uint32_t>(corners_.size()));
    }
    corners_.push_back(place.corner);
  }
  first_corner_.push_back(static_cast<std::uint32_t>(corners_.size()));
}

template <class Real>
void SideList::sum_at_nodes(Field3<Real>& result) const {
  parallel_for(nodes_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3d sum{};
      for (std::uint32_t k = first_corner_[i]; k < first_corner_[i + 1]; ++k) {
        const Mat3d& G = element_forces_[corners_[k].tet];
        const std::uint32_t c = corners_[k].corner;
        sum += c == 0 ? -(G.col(0) + G.col(1) + G.col(2)) : G.col(c - 1);
      }
      const Vec3<Real> before = result[nodes_[i]];
      result.set(nodes_[i],
                 {before.x + static_cast<Real>(sum.x), before.y + static_cast<Real>(sum.y),
                  before.z + static_cast<Real>(sum.z)});
    }
  });
}

template <class Real>
double SideList::add_forces(const Model& model, const KernelInput& input,
                            const Field3<Real>& positions, Field3<Real>& forces) {
  const double energy = ordered_sum(tets_.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t t = tets_[i];
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      const ActiveRest active = find_active_rest(model, input, t);
      const Mat3d F = compute_gradient(model, t, positions) * active.inverse_stretch;
      const auto fiber = turned(active, fiber_of(model, input, t));
      with_law(model, input, t, [&](const auto& law) {
        const material::Invertible continued(law);
        const Mat3d P = input.continuation == Continuation::kStress
                            ? stress(continued, F, fiber)
                            : gradient_stress(continued, F, fiber);
        element_forces_[i] =
            compute_piola_forces(P * active.inverse_stretch, rest.Bm) * model.fill[t];
        sum += rest.volume * model.fill[t] * energy_density(continued, F, fiber);
      });
    }
    return sum;
  });
  sum_at_nodes(forces);
  return energy;
}

template <class Real>
void SideList::add_tangent(const Model& model, const KernelInput& input,
                           const Field3<Real>& positions, const Field3<Real>& direction,
                           bool projected, Field3<Real>& result) {
  parallel_for(tets_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t t = tets_[i];
      const ActiveRest active = find_active_rest(model, input, t);
      const Mat3d F = compute_gradient(model, t, positions) * active.inverse_stretch;
      const Mat3d dF = compute_gradient(model, t, direction) * active.inverse_stretch;
      const auto fiber = turned(active, fiber_of(model, input, t));
      const Mat3d dP = with_law(model, input, t, [&](const auto& law) {
        return projected ? stress_change_stand_in(small_strain_moduli(law), F, dF)
                         : stress_change(law, F, fiber, dF);
      });
      const RestShape& rest = model.rest_shapes[model.rest_shape[t]];
      element_forces_[i] =
          compute_piola_forces(dP * active.inverse_stretch, rest.Bm) * -model.fill[t];
    }
  });
  sum_at_nodes(result);
}

template double SideList::add_forces(const Model&, const KernelInput&, const Field3<float>&,
                                     Field3<float>&);
template double SideList::add_forces(const Model&, const KernelInput&, const Field3<double>&,
                                     Field3<double>&);
template void SideList::add_tangent(const Model&, const KernelInput&, const Field3<float>&,
                                    const Field3<float>&, bool, Field3<float>&);
template void SideList::add_tangent(const Model&, const KernelInput&, const Field3<double>&,
                                    const Field3<double>&, bool, Field3<double>&);

}  // namespace sinew::tet
