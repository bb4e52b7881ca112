#include "sinew/tet/kernels/forces.h"
#include "sinew/tet/kernels/functions.h"

namespace sinew::tet::SINEW_ISA {

double add_forces_and_energy(const KernelTask<float>& task, const Slab& slab) {
  return add_slab_forces<true>(task, slab);
}
double add_forces_and_energy(const KernelTask<double>& task, const Slab& slab) {
  return add_slab_forces<true>(task, slab);
}

}  // namespace sinew::tet::SINEW_ISA
