// The stress of a batch, with the averaged pressure where a tissue has one, SVD-free where that is
// proven to be enough. For the force kernels.
#pragma once

#include "sinew/core/lanes_svd.h"
#include "sinew/tet/kernels/batch.h"

namespace sinew::tet::SINEW_ISA {

using material::Fiber;
using material::Invertible;
using material::Part;
using material::StressAndEnergy;

// Some lane is crushed or inverted: all take the SVD.
template <class L, class Real>
[[gnu::noinline, gnu::flatten]] StressAndEnergy<Lanes<Real>> compute_continued(
    const Invertible<L>& law, const Mat3<Lanes<Real>>& F, const Fiber<Lanes<Real>>& fiber,
    bool averaged, Continuation continuation) {
  using T = Lanes<Real>;
  const auto svd = compute_polar_svd(F);
  const material::Polar<T> polar{svd.U, svd.s, svd.V};
  if (continuation == Continuation::kStress) {
    return {averaged ? continued_stress<Part::kDistortion>(law, polar, fiber)
                     : continued_stress<Part::kWhole>(law, polar, fiber),
            T(0.0)};
  }
  return averaged ? extended_stress_and_energy<Part::kDistortion>(law, polar, fiber)
                  : extended_stress_and_energy<Part::kWhole>(law, polar, fiber);
}

}  // namespace sinew::tet::SINEW_ISA
