// The averaged dilatation: volumes of the cells around lattice centres, and their pressures.
#include "sinew/tet/kernels/batch.h"
#include "sinew/tet/kernels/functions.h"

namespace sinew::tet::SINEW_ISA {
namespace {

using material::volume_energy;
using material::volume_pressure;
using material::volume_stiffness;

template <class Real>
[[gnu::always_inline]] inline void add_to_centres(const KernelTask<Real>& task,
                                                  const Batch<Real>& batch, Lanes<Real> J,
                                                  Real* sums) {
  const Lanes<Real> half = load(task.volumes + batch.number * Lanes<Real>::kWidth) * J * 0.5;
  for (const Segment* s = batch.begin; s < batch.end; ++s) {
    const Mask<Real> lanes = lanes_of<Real>(*s);
    for (const int corner : {2, 3}) {
      Real* to = sums + s->nodes[corner];
      if (batch.whole()) [[likely]] {
        store(load<Real>(to) + half, to);
      } else {
        add_at_corner(*s, lanes, corner, half, sums);
      }
    }
  }
}

// Calls function(group, batch) for the slab's batches of averaged tissues.
template <class Real, class Function>
[[gnu::always_inline]] inline void for_each_averaged(const KernelTask<Real>& task, const Slab& slab,
                                                     const Function& function) {
  const FlushDenormals flush;
  for (std::uint32_t g = slab.first_group; g < slab.end_group; ++g) {
    const Group& group = task.groups[g];
    if (!task.laws[group.tissue].averaged) continue;
    for (std::size_t i = group.first_batch; i < group.end_batch; ++i) {
      function(group, batch_of(task, i));
    }
  }
}

template <class Real>
void add_volumes(const KernelTask<Real>& task, const Slab& slab) {
  for_each_averaged(task, slab, [&](const Group& group, const Batch<Real>& batch) {
    const auto F = compute_gradient(task, group, batch, task.positions, 1.0);
    add_to_centres(task, batch, determinant(F), task.dilatations);
  });
}

template <class Real>
void add_volume_changes(const KernelTask<Real>& task, const Slab& slab) {
  for_each_averaged(task, slab, [&](const Group& group, const Batch<Real>& batch) {
    const auto F = compute_gradient(task, group, batch, task.positions, 1.0);
    const auto dF = compute_gradient(task, group, batch, task.direction, 0.0);
    add_to_centres(task, batch, inner(cofactor(F), dF), task.dilatation_changes);
  });
}

// Nodes are padded: the last register may reach beyond `end`, into zeros or another piece's nodes,
// which are left as they are.
template <class Real, class Function>
[[gnu::always_inline]] inline void for_each_register(std::size_t begin, std::size_t end,
                                                     const Function& function) {
  constexpr std::size_t kWidth = Lanes<Real>::kWidth;
  const FlushDenormals flush;
  for (std::size_t n = begin; n < end; n += kWidth) function(n);
}

template <class Real>
double compute_cell_pressures(const KernelTask<Real>& task, std::size_t begin, std::size_t end) {
  using T = Lanes<Real>;
  double total = 0;
  for_each_register<Real>(begin, end, [&](std::size_t n) {
    const T inverse_volume = load(task.inverse_cell_volumes + n);
    const auto cell = inverse_volume > 0.0;
    const T J = select(cell, load<Real>(task.dilatations + n) * inverse_volume, T(1.0));
    const T bulk = load(task.cell_bulks + n);
    store(J, task.dilatations + n);
    store(bulk * volume_pressure(*task.unit_volume_part, J), task.pressures + n);
    const T volume = 1.0 / select(cell, inverse_volume, T(1.0));
    total += sum(select(cell, volume * bulk * volume_energy(*task.unit_volume_part, J), T(0.0)));
  });
  return total;
}

template <class Real>
void compute_cell_pressure_changes(const KernelTask<Real>& task, std::size_t begin,
                                   std::size_t end) {
  using T = Lanes<Real>;
  for_each_register<Real>(begin, end, [&](std::size_t n) {
    const T dJ = load<Real>(task.dilatation_changes + n) * load(task.inverse_cell_volumes + n);
    // A law's kappa may be negative: lambda is, of neo-Hookean with a negative Poisson's ratio.
    T stiffness = load(task.cell_bulks + n) *
                  volume_stiffness(*task.unit_volume_part, load<Real>(task.dilatations + n));
    if (task.projected) stiffness = max(stiffness, T(0.0));
    store(stiffness * dJ, task.pressure_changes + n);
  });
}

}  // namespace

void add_cell_volumes(const KernelTask<float>& task, const Slab& slab) {
  add_volumes(task, slab);
}
void add_cell_volumes(const KernelTask<double>& task, const Slab& slab) {
  add_volumes(task, slab);
}
void add_cell_volume_changes(const KernelTask<float>& task, const Slab& slab) {
  add_volume_changes(task, slab);
}
void add_cell_volume_changes(const KernelTask<double>& task, const Slab& slab) {
  add_volume_changes(task, slab);
}
double compute_pressures(const KernelTask<float>& task, std::size_t begin, std::size_t end) {
  return compute_cell_pressures(task, begin, end);
}
double compute_pressures(const KernelTask<double>& task, std::size_t begin, std::size_t end) {
  return compute_cell_pressures(task, begin, end);
}
void compute_pressure_changes(const KernelTask<float>& task, std::size_t begin, std::size_t end) {
  compute_cell_pressure_changes(task, begin, end);
}
void compute_pressure_changes(const KernelTask<double>& task, std::size_t begin, std::size_t end) {
  compute_cell_pressure_changes(task, begin, end);
}

}  // namespace sinew::tet::SINEW_ISA
