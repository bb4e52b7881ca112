// The fast force evaluation of the tet engine: batches of tetrahedra along x, whose nodes lie next
// to each other, in SIMD lanes of float or double. For the integrators; forces.h is the scalar
// reference that it is compared with, kernel_layout.h says how lanes and threads are filled.
//
// Source: docs/theory/finite_volumes.md, equation (6), docs/theory/muscle.md for the laws and the
// averaged dilatation. A user's mesh goes through lanes too, a node at a time and with rest
// matrices of its own; laws without lanes go one by one, summed at the nodes in fixed order. A
// kernel keeps the instruction set that was chosen when it was made.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/core/field3.h"
#include "sinew/tet/kernel_input.h"
#include "sinew/tet/model.h"

namespace sinew::tet {

template <class Real>
class Kernel {
 public:
  explicit Kernel(const Model& model);  // the model must outlive the kernel
  ~Kernel();
  Kernel(Kernel&&) noexcept;
  Kernel& operator=(Kernel&&) noexcept;

  // Elastic forces (N) at the nodes; the same bits for any number of threads.
  void compute_forces(const KernelInput& input, const Field3<Real>& positions,
                      Field3<Real>& forces);
  // The same, and the energy (J) whose gradient they are (for Continuation::kEnergy).
  double compute_forces_and_energy(const KernelInput& input, const Field3<Real>& positions,
                                   Field3<Real>& forces);
  // result = K direction (N), K the exact tangent (minus the derivative of the forces) at
  // `positions`; for elements below the threshold a positive definite stand-in. With `projected`,
  // each element's part is positive semidefinite (kernels/tangent.cc says how).
  void apply_tangent(const KernelInput& input, const Field3<Real>& positions,
                     const Field3<Real>& direction, bool projected, Field3<Real>& result);

  // Memory of the kernel's own arrays, those that are read in a force evaluation.
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class Kernel<float>;
extern template class Kernel<double>;

}  // namespace sinew::tet
