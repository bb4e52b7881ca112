// Elastic and damping forces of all tetrahedra, gathered at the nodes in fixed order. This is the
// scalar reference: the code that faster kernels are compared with.
//
// Source: docs/theory/finite_volumes.md, equations (6), (14) and (15); docs/theory/muscle.md,
// equations (13)-(15), for the averaged dilatation.
#pragma once

#include <vector>

#include "sinew/core/vec.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

// Scratch of one force evaluation. F is kept: damping and observation need it.
struct ForceWorkspace {
  std::vector<Mat3d> F;               // (num_tets) deformation gradients of the last evaluation
  std::vector<Mat3d> element_forces;  // (num_tets) G: forces on corners 1..3
  std::vector<double> dilatations;    // (num_nodes) J averaged around lattice centres
};

// The factor on the moduli of each body at a time.
std::vector<double> compute_stiffness(const Model& model, double time);

// Elastic forces (N) at the nodes.
void compute_elastic_forces(const Model& model, const KernelInput& input,
                            const std::vector<Vec3d>& positions, ForceWorkspace& workspace,
                            std::vector<Vec3d>& forces);

// Strain energy per rest volume, J/m^3, for F and the pressures of the workspace: one a
// tetrahedron. With fill and volume they sum to the energy whose gradient are the forces of
// Continuation::kEnergy.
std::vector<double> compute_energy_densities(const Model& model, const KernelInput& input,
                                             const ForceWorkspace& workspace);

// The damping operator at F of the workspace: result = C velocities (N), symmetric, positive
// semidefinite, zero for rigid motions (but for mass damping).
void apply_damping(const Model& model, const std::vector<double>& stiffness,
                   const std::vector<Vec3d>& velocities, ForceWorkspace& workspace,
                   std::vector<Vec3d>& result);

// Whether any body is damped at all.
bool has_damping(const Model& model);

// Largest |dF/dt| over all tetrahedra (Frobenius), 1/s: how fast shapes change.
double compute_largest_rate(const Model& model, const std::vector<Vec3d>& velocities);

}  // namespace sinew::tet
