// The tangent's product with a direction: exact above the threshold of inversion, a positive
// definite stand-in below it.
//
// Projected, every element's part is positive semidefinite by its form: with E = sym(F^T dF),
//   dP = 2 mu F dev(E) + max(U'', 0) (H : dF) H + fibre,
// the stiffness of the small strains carried along by F, without the stress that is already there
// (which is where negative curvature comes from); of the fibre's stress, whose stiffness matters at
// full activation, the positive parts are kept:
//   max(T', 0) u (u . dF a) a^T + T/l (dF a - u (u . dF a)) a^T,  u = F a / l.
#include "sinew/tet/kernels/functions.h"
#include "sinew/tet/kernels/stress.h"

namespace sinew::tet::SINEW_ISA {
namespace {

template <class L, class T>
Mat3<T> fiber_stand_in(const L& law, const Mat3<T>& F, const Fiber<T>& fiber, const Mat3<T>& dF) {
  if constexpr (requires { law.fibers; }) {
    const auto stretch = material::compute_stretch(F, fiber.direction, T(1.0));
    const T tension = max(compute_tension(law.fibers, stretch.l, fiber.activation), T(0.0));
    const T slope = max(compute_tension_slope(law.fibers, stretch.l, fiber.activation), T(0.0));
    const Vec3<T> u = stretch.Fa * stretch.inverse_l;
    const Vec3<T> dFa = dF * fiber.direction;
    const T across = tension * stretch.inverse_l;
    return Mat3<T>::outer(u * (dot(u, dFa) * (slope - across)) + dFa * across, fiber.direction);
  } else {
    return {};
  }
}

// What changes of the stress apart from the volume part.
template <class L, class T>
Mat3<T> distortion_stand_in(const L& law, double mu, const Mat3<T>& F, const Fiber<T>& fiber,
                            const Mat3<T>& dF) {
  Mat3<T> E = symmetric_part(transpose(F) * dF);
  const T mean = trace(E) * T(1.0 / 3);
  for (std::size_t i = 0; i < 3; ++i) E.col(i)[i] -= mean;
  return F * E * T(2 * mu) + fiber_stand_in(law, F, fiber, dF);
}

template <class Real>
Mat3<Lanes<Real>> select_matrix(Mask<Real> condition, const Mat3<Lanes<Real>>& yes,
                                const Mat3<Lanes<Real>>& no) {
  Mat3<Lanes<Real>> result;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      result.col(j)[i] = select(condition, yes(i, j), no(i, j));
    }
  }
  return result;
}

template <class Real>
[[gnu::noinline]] Mask<Real> find_regular(const Mat3<Lanes<Real>>& F) {
  return compute_polar_svd(F).s.z >= material::kEnergyThreshold;
}

template <bool kProjected, class L, class Real>
[[gnu::flatten]] void add_group_tangent(const KernelTask<Real>& task, const Group& group,
                                        const Invertible<L>& law) {
  using T = Lanes<Real>;
  const GroupLaw& group_law = task.laws[group.tissue];
  for (std::size_t i = group.first_batch; i < group.end_batch; ++i) {
    const Batch<Real> batch = batch_of(task, i);
    const Mat3<T> F = compute_gradient(task, group, batch, task.positions, 1.0);
    const Mat3<T> dF = compute_gradient(task, group, batch, task.direction, 0.0);
    const Fiber<T> fiber = load_fiber(task, group, batch);
    const Mat3<T> H = cofactor(F);
    const T J = dot(F.col(0), H.col(0));
    T pressure = 0.0, pressure_change = 0.0;
    if (group_law.averaged) {
      pressure = load_centres(batch, task.pressures);
      pressure_change = load_centres(batch, task.pressure_changes);
    } else {
      T stiffness = volume_stiffness(law, J);
      if constexpr (kProjected) stiffness = max(stiffness, T(0.0));
      if constexpr (!kProjected) pressure = volume_pressure(law, J);
      pressure_change = stiffness * inner(H, dF);
    }
    Mat3<T> dP;
    if constexpr (kProjected) {
      dP = distortion_stand_in(law.law, group_law.mu, F, fiber, dF);
    } else {
      dP = distortion_stress_change(law.law, F, fiber, dF) +
           material::cross_product(F, dF) * pressure;
    }
    Mask<Real> regular = 2.0 * J > material::kEnergyThreshold * inner(F, F);
    if (!all_of(regular)) [[unlikely]] {
      regular = find_regular<Real>(F);
      dP = select_matrix<Real>(regular, dP, dF * T(2 * group_law.mu));
    }
    add_stress_forces(task, group, batch, dP + H * pressure_change, -1.0);
  }
}

template <bool kProjected, class Real>
void add_slab_tangent(const KernelTask<Real>& task, const Slab& slab) {
  const FlushDenormals flush;
  for (std::uint32_t g = slab.first_group; g < slab.end_group; ++g) {
    with_law(task, task.groups[g],
             [&](const auto& law) { add_group_tangent<kProjected>(task, task.groups[g], law); });
  }
}

template <class Real>
void add_either(const KernelTask<Real>& task, const Slab& slab) {
  task.projected ? add_slab_tangent<true>(task, slab) : add_slab_tangent<false>(task, slab);
}

}  // namespace

void add_tangent(const KernelTask<float>& task, const Slab& slab) {
  add_either(task, slab);
}
void add_tangent(const KernelTask<double>& task, const Slab& slab) {
  add_either(task, slab);
}

}  // namespace sinew::tet::SINEW_ISA
