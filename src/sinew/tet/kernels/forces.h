// Forces and energies of a slab. Included by forces.cc and energies.cc, which each compile a half.
#pragma once

#include "sinew/tet/kernels/stress.h"

namespace sinew::tet::SINEW_ISA {

// The forces of one group; returns its energy (J) where kEnergy.
template <bool kEnergy, class L, class Real>
[[gnu::flatten]] double add_group_forces(const KernelTask<Real>& task, const Group& group,
                                         const Invertible<L>& law) {
  using T = Lanes<Real>;
  const bool averaged = task.laws[group.tissue].averaged;
  const T threshold = task.continuation == Continuation::kStress ? material::kThreshold
                                                                 : material::kEnergyThreshold;
  T energies = 0.0;
  double total = 0;
  for (std::size_t i = group.first_batch; i < group.end_batch; ++i) {
    const Batch<Real> batch = batch_of(task, i);
    const Mat3<T> F = compute_gradient(task, group, batch, task.positions, 1.0);
    const Fiber<T> fiber = load_fiber(task, group, batch);
    const Mat3<T> H = cofactor(F);
    const T J = dot(F.col(0), H.col(0));
    Mat3<T> P;
    T energy = 0.0;
    if (all_of(2.0 * J > threshold * inner(F, F))) [[likely]] {
      if constexpr (kEnergy) {
        const StressAndEnergy<T> both = distortion_stress_and_energy(law.law, F, fiber);
        P = both.stress, energy = both.energy;
        if (!averaged) energy += volume_energy(law.law, J);
      } else {
        P = distortion_stress(law.law, F, fiber);
      }
      P += H * (averaged ? load_centres(batch, task.pressures) : volume_pressure(law.law, J));
    } else {
      const StressAndEnergy<T> both =
          compute_continued<L, Real>(law, F, fiber, averaged, task.continuation);
      P = both.stress, energy = both.energy;
      if (averaged) P += H * load_centres(batch, task.pressures);
    }
    if constexpr (kEnergy) energies += energy * load(task.volumes + i * T::kWidth);
    add_stress_forces(task, group, batch, P, 1.0);
  }
  if constexpr (kEnergy) total = sum(energies);
  return total;
}

template <bool kEnergy, class Real>
double add_slab_forces(const KernelTask<Real>& task, const Slab& slab) {
  const FlushDenormals flush;
  double energy = 0;
  for (std::uint32_t g = slab.first_group; g < slab.end_group; ++g) {
    with_law(task, task.groups[g], [&](const auto& law) {
      energy += add_group_forces<kEnergy>(task, task.groups[g], law);
    });
  }
  return energy;
}

}  // namespace sinew::tet::SINEW_ISA
