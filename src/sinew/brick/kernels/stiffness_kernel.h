// The inner loop of the tangent stiffness at a point of a brick, compiled once for each instruction
// set. For large_strain.cc only: raw pointers in, nothing owned.
#pragma once

namespace sinew::brick {

// K[3 a + i][c] += sum over j of gradients[3 a + j] change[3 i + j][c] for c >= 3 a: the upper half
// of a (60 x 60) matrix by rows. `change`: (9 x 60), what a unit of each coordinate does to the
// stress, times the point's volume.
struct StiffnessTask {
  const double* gradients;  // (20 x 3) 1/m
  const double* change;
  double* K;
};

namespace sse2 {
void add_stiffness(const StiffnessTask& task);
}
namespace avx2 {
void add_stiffness(const StiffnessTask& task);
}
namespace avx512 {
void add_stiffness(const StiffnessTask& task);
}

}  // namespace sinew::brick
