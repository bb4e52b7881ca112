// What kernel.cc hands to the functions in kernels/, which are compiled once for each instruction
// set: raw arrays and plain structs, so that no inline code of others is compiled there.
// kernel_layout.h says what batches, segments and slabs are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/material/continuation.h"
#include "sinew/tet/kernel_input.h"

namespace sinew::tet {

struct Segment {
  std::uint32_t nodes[4];   // of lane 0, whether or not the segment begins there
  std::uint8_t begin, end;  // lanes
  // Bit c: a whole register at nodes[c] holds nodes of this slab only, so that lanes outside the
  // segment may be stored back unchanged.
  std::uint8_t inside;
};

// Batches of one tissue and region, one after the other.
struct Group {
  std::uint32_t first_batch, end_batch;
  std::uint32_t first_rest;  // of its rest matrices; kLattice where 1/spacing is all there is
  std::uint16_t tissue, region;
  double inverse_spacing;  // 1/m
};
inline constexpr std::uint32_t kLattice = 0xffffffff;

struct Slab {
  std::uint32_t first_group, end_group;
};

enum class LawKind { kNeoHookean, kMooneyRivlin, kMuscle, kBlemker };

struct GroupLaw {
  LawKind kind;
  const void* law;  // material::Invertible of that kind, its moduli already scaled
  bool averaged;    // the volume part comes from the cells around lattice centres
  double mu;        // small-strain shear modulus, Pa
};

template <class Real>
struct KernelTask {
  // Of the layout
  const Group* groups;
  const std::uint32_t* first_segment;
  const Segment* segments;
  const Real* fibers;
  const Real* volumes;
  const Real* rest_inverses;
  // Of the input
  const GroupLaw* laws;       // by tissue
  const double* activations;  // by region
  Continuation continuation;
  bool projected;
  const Real* positions[3];
  const Real* direction[3];  // of a tangent
  Real* result[3];           // forces are added to it
  // Averaged dilatation; all arrays by node, padded like a Field3
  const material::Invertible<material::MooneyRivlin>* unit_volume_part;  // bulk modulus 1
  const Real* inverse_cell_volumes;  // 1/m^3, 0 where there is no cell
  const Real* cell_bulks;            // Pa, scaled
  Real* dilatations;                 // sums of volumes (m^3), then J averaged
  Real* dilatation_changes;          // the same of their changes with `direction`
  Real* pressures;                   // Pa
  Real* pressure_changes;            // Pa
};

template <class Real>
struct KernelFunctions {
  int width;  // lanes of a register
  // Volumes of the slab's averaged tetrahedra, or their changes, added at their centres.
  void (*add_cell_volumes)(const KernelTask<Real>&, const Slab&);
  void (*add_cell_volume_changes)(const KernelTask<Real>&, const Slab&);
  // Of nodes [begin, end): dilatations and pressures from the volumes; their energy (J).
  double (*compute_pressures)(const KernelTask<Real>&, std::size_t begin, std::size_t end);
  void (*compute_pressure_changes)(const KernelTask<Real>&, std::size_t begin, std::size_t end);
  void (*add_forces)(const KernelTask<Real>&, const Slab&);
  double (*add_forces_and_energy)(const KernelTask<Real>&, const Slab&);  // J
  void (*add_tangent)(const KernelTask<Real>&, const Slab&);
};

namespace sse2 {
extern const KernelFunctions<float> kFloatFunctions;
extern const KernelFunctions<double> kDoubleFunctions;
}  // namespace sse2
namespace avx2 {
extern const KernelFunctions<float> kFloatFunctions;
extern const KernelFunctions<double> kDoubleFunctions;
}  // namespace avx2
namespace avx512 {
extern const KernelFunctions<float> kFloatFunctions;
extern const KernelFunctions<double> kDoubleFunctions;
}  // namespace avx512

}  // namespace sinew::tet
