// The functions of one instruction set, by the file they are compiled in; functions.cc lists them
// for kernel.cc.
#pragma once

#include "sinew/tet/kernel_task.h"

namespace sinew::tet::SINEW_ISA {

// forces.cc
void add_forces(const KernelTask<float>& task, const Slab& slab);
void add_forces(const KernelTask<double>& task, const Slab& slab);
// energies.cc
double add_forces_and_energy(const KernelTask<float>& task, const Slab& slab);
double add_forces_and_energy(const KernelTask<double>& task, const Slab& slab);
// tangent.cc
void add_tangent(const KernelTask<float>& task, const Slab& slab);
void add_tangent(const KernelTask<double>& task, const Slab& slab);
// dilatation.cc
void add_cell_volumes(const KernelTask<float>& task, const Slab& slab);
void add_cell_volumes(const KernelTask<double>& task, const Slab& slab);
void add_cell_volume_changes(const KernelTask<float>& task, const Slab& slab);
void add_cell_volume_changes(const KernelTask<double>& task, const Slab& slab);
double compute_pressures(const KernelTask<float>& task, std::size_t begin, std::size_t end);
double compute_pressures(const KernelTask<double>& task, std::size_t begin, std::size_t end);
void compute_pressure_changes(const KernelTask<float>& task, std::size_t begin, std::size_t end);
void compute_pressure_changes(const KernelTask<double>& task, std::size_t begin, std::size_t end);

}  // namespace sinew::tet::SINEW_ISA
