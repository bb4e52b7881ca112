#include "sinew/tet/kernels/functions.h"

#include "sinew/core/lanes_intrinsics.h"

namespace sinew::tet::SINEW_ISA {

const KernelFunctions<float> kFloatFunctions = {
    sinew::SINEW_ISA::kLaneBytes / 4, add_cell_volumes, add_cell_volume_changes, compute_pressures,
    compute_pressure_changes,         add_forces,       add_forces_and_energy,   add_tangent};
const KernelFunctions<double> kDoubleFunctions = {
    sinew::SINEW_ISA::kLaneBytes / 8, add_cell_volumes, add_cell_volume_changes, compute_pressures,
    compute_pressure_changes,         add_forces,       add_forces_and_energy,   add_tangent};

}  // namespace sinew::tet::SINEW_ISA
