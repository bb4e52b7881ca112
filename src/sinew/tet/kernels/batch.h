// A batch of tetrahedra in lanes: its nodes' values loaded, its forces stored. For the kernels.
//
// On a lattice, F in the frame of the tetrahedron has the columns (x3 - x2)/h, (x1 - x0)/h and
// (x2 + x3 - x0 - x1)/h (docs/theory/muscle.md, equation (20)); elsewhere F = D_s D_m^-1.
#pragma once

#include "sinew/core/lanes.h"
#include "sinew/core/vec.h"
#include "sinew/tet/kernel_task.h"

namespace sinew::tet::SINEW_ISA {

using sinew::SINEW_ISA::FlushDenormals;
using sinew::SINEW_ISA::Lanes;
using sinew::SINEW_ISA::lanes_between;
using sinew::SINEW_ISA::load;
using sinew::SINEW_ISA::Mask;
using sinew::SINEW_ISA::store;

template <class Real>
struct Batch {
  const Segment* begin;
  const Segment* end;
  std::size_t number;

  bool whole() const { return begin->end == Lanes<Real>::kWidth && begin->begin == 0; }
  // Are there lanes without a tetrahedron?
  bool partial() const { return end[-1].end < Lanes<Real>::kWidth; }
};
template <class Real>
[[gnu::always_inline]] inline Batch<Real> batch_of(const KernelTask<Real>& task, std::size_t i) {
  return {task.segments + task.first_segment[i], task.segments + task.first_segment[i + 1], i};
}
template <class Real>
[[gnu::always_inline]] inline Mask<Real> lanes_of(const Segment& s) {
  return lanes_between<Real>(s.begin, s.end);
}

// A scalar of the nodes at one corner.
template <class Real>
[[gnu::always_inline]] inline Lanes<Real> load_corner(const Batch<Real>& batch, const Real* values,
                                                      int corner) {
  Lanes<Real> result = load(values + batch.begin->nodes[corner]);
  for (const Segment* s = batch.begin + 1; s < batch.end; ++s) {
    result = select(lanes_of<Real>(*s), load(values + s->nodes[corner]), result);
  }
  return result;
}

template <class Real>
struct Corners {
  Vec3<Lanes<Real>> x[4];
};
template <class Real>
[[gnu::always_inline]] inline Vec3<Lanes<Real>> load_vector(const Real* const values[3],
                                                            std::uint32_t node) {
  return {load(values[0] + node), load(values[1] + node), load(values[2] + node)};
}
template <class Real>
[[gnu::always_inline]] inline Corners<Real> load_corners(const Batch<Real>& batch,
                                                         const Real* const values[3]) {
  Corners<Real> result;
  for (int c = 0; c < 4; ++c) result.x[c] = load_vector<Real>(values, batch.begin->nodes[c]);
  for (const Segment* s = batch.begin + 1; s < batch.end; ++s) {
    const Mask<Real> lanes = lanes_of<Real>(*s);
    for (int c = 0; c < 4; ++c) {
      const Vec3<Lanes<Real>> y = load_vector<Real>(values, s->nodes[c]);
      Vec3<Lanes<Real>>& x = result.x[c];
      x = {select(lanes, y.x, x.x), select(lanes, y.y, x.y), select(lanes, y.z, x.z)};
    }
  }
  return result;
}

template <class Real>
[[gnu::always_inline]] inline Mat3<Lanes<Real>> load_rest_inverse(const KernelTask<Real>& task,
                                                                  const Group& group,
                                                                  std::size_t batch) {
  constexpr std::size_t kWidth = Lanes<Real>::kWidth;
  const Real* from =
      task.rest_inverses + group.first_rest + (batch - group.first_batch) * 9 * kWidth;
  Mat3<Lanes<Real>> result;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) result.col(j)[i] = load(from + (3 * j + i) * kWidth);
  }
  return result;
}

// F of nodal values: of positions the deformation gradient, of a direction its change. Lanes
// without a tetrahedron get `empty` on the diagonal.
template <class Real>
[[gnu::always_inline]] inline Mat3<Lanes<Real>> compute_gradient(const KernelTask<Real>& task,
                                                                 const Group& group,
                                                                 const Batch<Real>& batch,
                                                                 const Real* const values[3],
                                                                 double empty) {
  using T = Lanes<Real>;
  const auto& x = load_corners(batch, values).x;
  Mat3<T> F;
  if (group.first_rest == kLattice) [[likely]] {
    const T k = group.inverse_spacing;
    F = {{(x[3] - x[2]) * k, (x[1] - x[0]) * k, ((x[2] - x[0]) + (x[3] - x[1])) * k}};
  } else {
    F = Mat3<T>{{x[1] - x[0], x[2] - x[0], x[3] - x[0]}} *
        load_rest_inverse(task, group, batch.number);
  }
  if (batch.partial()) [[unlikely]] {
    const Mask<Real> used = load(task.volumes + batch.number * T::kWidth) > 0.0;
    const Mat3<T> rest = Mat3<T>::diagonal({T(empty), T(empty), T(empty)});
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) F.col(j)[i] = select(used, F(i, j), rest(i, j));
    }
  }
  return F;
}

template <class Real>
[[gnu::noinline]] void add_one_by_one(Lanes<Real> value, int begin, int end, Real* to) {
  Real values[Lanes<Real>::kWidth];
  store(value, values);
  for (int i = begin; i < end; ++i) to[i] += values[i];
}
// Adds lanes to the nodes at one corner, segment by segment.
template <class Real>
[[gnu::always_inline]] inline void add_at_corner(const Segment& s, Mask<Real> lanes, int corner,
                                                 Lanes<Real> value, Real* values) {
  Real* to = values + s.nodes[corner];
  if (((s.inside >> corner) & 1) != 0) [[likely]] {
    store(load(static_cast<const Real*>(to)) + select(lanes, value, Lanes<Real>(0.0)), to);
  } else {
    add_one_by_one(value, s.begin, s.end, to);
  }
}

template <class Real>
[[gnu::always_inline]] inline void add_at_corners(const Batch<Real>& batch,
                                                  const Corners<Real>& forces,
                                                  Real* const result[3]) {
  const auto& f = forces.x;
  if (batch.whole()) [[likely]] {
    for (int c = 0; c < 4; ++c) {
      const std::uint32_t n = batch.begin->nodes[c];
      store(load<Real>(result[0] + n) + f[c].x, result[0] + n);
      store(load<Real>(result[1] + n) + f[c].y, result[1] + n);
      store(load<Real>(result[2] + n) + f[c].z, result[2] + n);
    }
    return;
  }
  for (const Segment* s = batch.begin; s < batch.end; ++s) {
    const Mask<Real> lanes = lanes_of<Real>(*s);
    for (int c = 0; c < 4; ++c) {
      add_at_corner(*s, lanes, c, f[c].x, result[0]);
      add_at_corner(*s, lanes, c, f[c].y, result[1]);
      add_at_corner(*s, lanes, c, f[c].z, result[2]);
    }
  }
}

// Forces of the stress P at the four corners, times `sign`: minus the change of the energy with x.
template <class Real>
[[gnu::always_inline]] inline void add_stress_forces(const KernelTask<Real>& task,
                                                     const Group& group, const Batch<Real>& batch,
                                                     const Mat3<Lanes<Real>>& P, double sign) {
  using T = Lanes<Real>;
  const T volume = load(task.volumes + batch.number * T::kWidth);
  Corners<Real> f;
  if (group.first_rest == kLattice) [[likely]] {
    const T k = volume * T(-sign * group.inverse_spacing);
    const Vec3<T> a = P.col(0) * k, b = P.col(1) * k, c = P.col(2) * k;
    f = {{-(b + c), b - c, c - a, a + c}};
  } else {
    const T k = volume * T(-sign);
    const Mat3<T> inverse_rest = load_rest_inverse(task, group, batch.number);
    const Mat3<T> G = P * transpose(inverse_rest) * k;
    f = {{-(G.col(0) + G.col(1) + G.col(2)), G.col(0), G.col(1), G.col(2)}};
  }
  add_at_corners(batch, f, task.result);
}

template <class Real>
[[gnu::always_inline]] inline material::Fiber<Lanes<Real>> load_fiber(const KernelTask<Real>& task,
                                                                      const Group& group,
                                                                      const Batch<Real>& batch) {
  constexpr std::size_t kWidth = Lanes<Real>::kWidth;
  const Real* from = task.fibers + batch.number * 3 * kWidth;
  return {{load(from), load(from + kWidth), load(from + 2 * kWidth)},
          task.activations[group.region]};
}

// Mean of the values at the two lattice centres, corners 2 and 3.
template <class Real>
[[gnu::always_inline]] inline Lanes<Real> load_centres(const Batch<Real>& batch,
                                                       const Real* values) {
  return (load_corner(batch, values, 2) + load_corner(batch, values, 3)) * 0.5;
}

// Calls function(law) with the law of a group in its own type.
template <class Real, class Function>
[[gnu::always_inline]] inline void with_law(const KernelTask<Real>& task, const Group& group,
                                            const Function& function) {
  using namespace material;
  const void* law = task.laws[group.tissue].law;
  switch (task.laws[group.tissue].kind) {
    case LawKind::kNeoHookean:
      function(*static_cast<const Invertible<NeoHookean>*>(law));
      break;
    case LawKind::kMooneyRivlin:
      function(*static_cast<const Invertible<MooneyRivlin>*>(law));
      break;
    case LawKind::kMuscle:
      function(*static_cast<const Invertible<Muscle>*>(law));
      break;
    case LawKind::kBlemker:
      function(*static_cast<const Invertible<Blemker>*>(law));
      break;
  }
}

}  // namespace sinew::tet::SINEW_ISA
