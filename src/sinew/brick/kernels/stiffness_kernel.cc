#include "sinew/brick/kernels/stiffness_kernel.h"

#include <cstddef>

namespace sinew::brick::SINEW_ISA {

void add_stiffness(const StiffnessTask& task) {
  constexpr std::size_t kSize = 60;
  for (std::size_t a = 0; a < kSize / 3; ++a) {
    const double x = task.gradients[3 * a], y = task.gradients[3 * a + 1],
                 z = task.gradients[3 * a + 2];
    const std::size_t first = 3 * a & ~std::size_t{3};  // whole lanes; what is below is not read
    for (std::size_t i = 0; i < 3; ++i) {
      const double* __restrict p = task.change + (3 * i) * kSize;
      const double* __restrict q = p + kSize;
      const double* __restrict r = q + kSize;
      double* __restrict row = task.K + (3 * a + i) * kSize;
      for (std::size_t c = first; c < kSize; ++c) row[c] += x * p[c] + y * q[c] + z * r[c];
    }
  }
}

}  // namespace sinew::brick::SINEW_ISA
