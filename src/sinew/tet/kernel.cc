#include "sinew/tet/kernel.h"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/tet/active_rest.h"
#include "sinew/tet/kernel_layout.h"
#include "sinew/tet/kernel_side.h"

namespace sinew::tet {
namespace {

using material::Invertible;

// Laws that have lanes, in the order of LawKind.
using LaneLaw = std::variant<Invertible<material::NeoHookean>, Invertible<material::MooneyRivlin>,
                             Invertible<material::Muscle>, Invertible<material::Blemker>>;

constexpr std::size_t kNodeGrain = 4096;  // a multiple of every register's lanes
constexpr std::size_t kFewTets = 4000;    // not worth waking another thread for

template <class Real>
const KernelFunctions<Real>& choose_functions() {
  constexpr bool kFloat = sizeof(Real) == sizeof(float);
  const auto pick = [](const KernelFunctions<float>& f, const KernelFunctions<double>& d) {
    if constexpr (kFloat)
      return &f;
    else
      return &d;
  };
  switch (instruction_set()) {
    case InstructionSet::kSse2:
      return *pick(sse2::kFloatFunctions, sse2::kDoubleFunctions);
    case InstructionSet::kAvx2:
      return *pick(avx2::kFloatFunctions, avx2::kDoubleFunctions);
    default:
      return *pick(avx512::kFloatFunctions, avx512::kDoubleFunctions);
  }
}

bool has_lanes(const material::Material& tissue) {
  return !std::holds_alternative<material::Corotated>(tissue.law);
}

// Values at nodes, padded like those of a Field3.
template <class Real>
std::vector<Real> make_nodal(std::size_t num_nodes) {
  return std::vector<Real>(Field3<Real>(num_nodes).stride());
}

}  // namespace

template <class Real>
struct Kernel<Real>::Impl {
  explicit Impl(const Model& m);

  KernelTask<Real> make_task(const KernelInput& input, const Field3<Real>& positions);
  void scale_laws(const std::vector<double>& stiffness);
  void set_active_shapes(const KernelInput& input);
  // Calls function(slab, number) for the even slabs, then for the odd ones.
  template <class Function>
  void for_each_slab(const Function& function) const;
  // Averaged dilatations and pressures; their energy (J).
  double compute_pressures(const KernelTask<Real>& task);
  double compute(const KernelInput& input, const Field3<Real>& positions, bool energy,
                 Field3<Real>& forces);

  const Model& model;
  const KernelFunctions<Real>& functions = choose_functions<Real>();
  KernelLayout<Real> layout;
  SideList side;
  bool averaged = false;

  std::vector<double> stiffness;  // that the laws are scaled by
  std::vector<double> shaped_by;  // activations that the active rest shapes are of
  std::vector<LaneLaw> laws;      // by tissue
  std::vector<GroupLaw> group_laws;
  const Invertible<material::MooneyRivlin> unit_volume_part{material::MooneyRivlin{0, 0, 0.5}};
  std::vector<Real> inverse_cell_volumes, cell_bulks;
  std::vector<Real> dilatations, dilatation_changes, pressures, pressure_changes;
};

template <class Real>
Kernel<Real>::Impl::Impl(const Model& m) : model(m) {
  std::vector<char> wanted(model.tets.size());
  std::vector<std::uint32_t> others;
  for (std::uint32_t t = 0; t < model.tets.size(); ++t) {
    wanted[t] = has_lanes(model.tissues[model.tissue[t]]) ? 1 : 0;
    if (wanted[t] == 0) others.push_back(t);
  }
  layout = make_layout<Real>(model, wanted, functions.width);
  if (!others.empty()) side = SideList(model, std::move(others));
  averaged = std::any_of(model.tissues.begin(), model.tissues.end(),
                         [](const auto& tissue) { return tissue.average_dilatation; });
  if (!averaged) return;
  const std::size_t n = model.rest_positions.size();
  for (auto* values : {&inverse_cell_volumes, &cell_bulks, &dilatations, &dilatation_changes,
                       &pressures, &pressure_changes}) {
    *values = make_nodal<Real>(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double volume = model.cell_volumes[i];
    inverse_cell_volumes[i] = static_cast<Real>(volume > 0 ? 1 / volume : 0);
  }
}

template <class Real>
void Kernel<Real>::Impl::scale_laws(const std::vector<double>& factors) {
  if (factors == stiffness && !group_laws.empty()) return;
  stiffness = factors;
  std::vector<double> factor_of(model.tissues.size(), 1.0);
  for (std::size_t t = 0; t < model.tets.size(); ++t) {
    factor_of[model.tissue[t]] = factors[model.regions[model.region[t]].body];
  }
  laws.clear();
  group_laws.clear();
  for (std::size_t i = 0; i < model.tissues.size(); ++i) {
    const material::Material& tissue = model.tissues[i];
    std::visit(
        [&](const auto& base) {
          const auto law = scaled(base, factor_of[i]);
          // A law without lanes keeps its place in the list, unused.
          if constexpr (material::TissueLaw<std::decay_t<decltype(base)>>) {
            laws.emplace_back(Invertible(law));
          } else {
            laws.emplace_back(unit_volume_part);
          }
          group_laws.push_back({static_cast<LawKind>(laws.back().index()), nullptr,
                                tissue.average_dilatation, small_strain_moduli(law).mu});
        },
        tissue.law);
  }
  for (std::size_t i = 0; i < laws.size(); ++i) {
    group_laws[i].law = std::visit([](const auto& law) -> const void* { return &law; }, laws[i]);
  }
  for (const Body& body : model.bodies) {
    const double factor = factors[static_cast<std::size_t>(&body - model.bodies.data())];
    for (std::size_t n = body.nodes.begin; averaged && n < body.nodes.end; ++n) {
      cell_bulks[n] = static_cast<Real>(factor * model.cell_bulks[n]);
    }
  }
}

// Rest matrices and fibres of tetrahedra with an active shape: D_m^-1 U^-alpha and U^alpha a.
template <class Real>
void Kernel<Real>::Impl::set_active_shapes(const KernelInput& input) {
  if (layout.active_lanes.empty() || input.activations == shaped_by) return;
  shaped_by = input.activations;
  const auto width = static_cast<std::size_t>(layout.width);
  parallel_for(layout.active_lanes.size(), kNodeGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto& lane = layout.active_lanes[i];
      const ActiveRest active = find_active_rest(model, input, lane.tet);
      const Mat3d rest =
          model.rest_shapes[model.rest_shape[lane.tet]].Dm_inverse * active.inverse_stretch;
      const Vec3f& a = model.fibers[lane.tet];
      const Vec3d fiber = turned(active, Vec3d{double{a.x}, double{a.y}, double{a.z}});
      for (std::size_t k = 0; k < 9; ++k) {
        layout.rest_inverses[lane.rest_inverse + k * width] = static_cast<Real>(rest(k % 3, k / 3));
      }
      for (std::size_t k = 0; k < 3; ++k) {
        layout.fibers[lane.fiber + k * width] = static_cast<Real>(fiber[k]);
      }
    }
  });
}

template <class Real>
KernelTask<Real> Kernel<Real>::Impl::make_task(const KernelInput& input,
                                               const Field3<Real>& positions) {
  const std::size_t n = model.rest_positions.size();
  if (positions.size() != n || input.stiffness.size() != model.bodies.size() ||
      input.activations.size() != model.regions.size()) {
    throw std::invalid_argument("the force kernel's input is not of its model's size");
  }
  scale_laws(input.stiffness);
  set_active_shapes(input);
  KernelTask<Real> task{};
  task.groups = layout.groups.data();
  task.first_segment = layout.first_segment.data();
  task.segments = layout.segments.data();
  task.fibers = layout.fibers.data();
  task.volumes = layout.volumes.data();
  task.rest_inverses = layout.rest_inverses.data();
  task.laws = group_laws.data();
  task.activations = input.activations.data();
  task.continuation = input.continuation;
  task.positions[0] = positions.x(), task.positions[1] = positions.y();
  task.positions[2] = positions.z();
  task.unit_volume_part = &unit_volume_part;
  task.inverse_cell_volumes = inverse_cell_volumes.data();
  task.cell_bulks = cell_bulks.data();
  task.dilatations = dilatations.data();
  task.dilatation_changes = dilatation_changes.data();
  task.pressures = pressures.data();
  task.pressure_changes = pressure_changes.data();
  return task;
}

template <class Real>
template <class Function>
void Kernel<Real>::Impl::for_each_slab(const Function& function) const {
  std::size_t first = 0;
  for (const std::vector<Slab>& slabs : layout.slabs) {
    const std::size_t grain = model.tets.size() < kFewTets ? slabs.size() + 1 : 1;
    parallel_for(slabs.size(), grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t s = begin; s < end; ++s) function(slabs[s], first + s);
    });
    first += slabs.size();
  }
}

template <class Real>
double Kernel<Real>::Impl::compute_pressures(const KernelTask<Real>& task) {
  if (!averaged) return 0;
  std::fill(dilatations.begin(), dilatations.end(), Real(0));
  for_each_slab([&](const Slab& slab, std::size_t) { functions.add_cell_volumes(task, slab); });
  return ordered_sum(model.rest_positions.size(), [&](std::size_t begin, std::size_t end) {
    return functions.compute_pressures(task, begin, end);
  });
}

template <class Real>
double Kernel<Real>::Impl::compute(const KernelInput& input, const Field3<Real>& positions,
                                   bool energy, Field3<Real>& forces) {
  KernelTask<Real> task = make_task(input, positions);
  if (forces.size() != positions.size()) forces = Field3<Real>(positions.size());
  forces.set_zero();
  task.result[0] = forces.x(), task.result[1] = forces.y(), task.result[2] = forces.z();
  double total = compute_pressures(task);
  std::vector<double> energies(layout.slabs[0].size() + layout.slabs[1].size());
  for_each_slab([&](const Slab& slab, std::size_t number) {
    if (energy) {
      energies[number] = functions.add_forces_and_energy(task, slab);
    } else {
      functions.add_forces(task, slab);
    }
  });
  for (const double part : energies) total += part;
  if (!side.empty()) total += side.add_forces(model, input, positions, forces);
  return total;
}

template <class Real>
Kernel<Real>::Kernel(const Model& model) : impl_(std::make_unique<Impl>(model)) {}
template <class Real>
Kernel<Real>::~Kernel() = default;
template <class Real>
Kernel<Real>::Kernel(Kernel&&) noexcept = default;
template <class Real>
Kernel<Real>& Kernel<Real>::operator=(Kernel&&) noexcept = default;

template <class Real>
void Kernel<Real>::compute_forces(const KernelInput& input, const Field3<Real>& positions,
                                  Field3<Real>& forces) {
  impl_->compute(input, positions, false, forces);
}

template <class Real>
double Kernel<Real>::compute_forces_and_energy(const KernelInput& input,
                                               const Field3<Real>& positions,
                                               Field3<Real>& forces) {
  return impl_->compute(input, positions, true, forces);
}

template <class Real>
void Kernel<Real>::apply_tangent(const KernelInput& input, const Field3<Real>& positions,
                                 const Field3<Real>& direction, bool projected,
                                 Field3<Real>& result) {
  Impl& impl = *impl_;
  KernelTask<Real> task = impl.make_task(input, positions);
  if (direction.size() != positions.size()) {
    throw std::invalid_argument("the direction of a tangent is not of the model's size");
  }
  if (result.size() != positions.size()) result = Field3<Real>(positions.size());
  result.set_zero();
  task.projected = projected;
  task.direction[0] = direction.x(), task.direction[1] = direction.y();
  task.direction[2] = direction.z();
  task.result[0] = result.x(), task.result[1] = result.y(), task.result[2] = result.z();
  impl.compute_pressures(task);
  if (impl.averaged) {
    std::fill(impl.dilatation_changes.begin(), impl.dilatation_changes.end(), Real(0));
    impl.for_each_slab(
        [&](const Slab& slab, std::size_t) { impl.functions.add_cell_volume_changes(task, slab); });
    parallel_for(impl.model.rest_positions.size(), kNodeGrain,
                 [&](std::size_t begin, std::size_t end) {
                   impl.functions.compute_pressure_changes(task, begin, end);
                 });
  }
  impl.for_each_slab(
      [&](const Slab& slab, std::size_t) { impl.functions.add_tangent(task, slab); });
  if (!impl.side.empty()) {
    impl.side.add_tangent(impl.model, input, positions, direction, projected, result);
  }
}

template <class Real>
std::size_t Kernel<Real>::bytes() const {
  const std::size_t nodal = impl_->inverse_cell_volumes.size() + impl_->cell_bulks.size() +
                            impl_->dilatations.size() + impl_->pressures.size();
  return impl_->layout.bytes() + nodal * sizeof(Real);
}

template class Kernel<float>;
template class Kernel<double>;

}  // namespace sinew::tet
