#include "sinew/tet/kernels/forces.h"

#include "sinew/tet/kernels/functions.h"

namespace sinew::tet::SINEW_ISA {

void add_forces(const KernelTask<float>& task, const Slab& slab) {
  add_slab_forces<false>(task, slab);
}
void add_forces(const KernelTask<double>& task, const Slab& slab) {
  add_slab_forces<false>(task, slab);
}

}  // namespace sinew::tet::SINEW_ISA
