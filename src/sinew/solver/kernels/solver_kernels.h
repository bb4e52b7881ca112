// The inner loops of the solver, compiled once for each instruction set. For block_matrix.cc and
// field_algebra.cc only: raw pointers in, nothing owned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::solver {

// One pass over the slices of a BlockMatrix:
//   y = A x                                    where b is null,
//   y = b - A x                                where D is null,
//   y = keep x + back y + step D (b - A x)     otherwise.
struct SlicePass {
  const std::uint32_t* first_slot;
  const std::uint32_t* loads;
  const std::uint32_t* gathers;
  const float* values;
  const std::uint16_t* short_values;  // instead of values, where not null
  const float* steps;                 // of short values
  const float* remainders;            // of short values
  const float* D;
  const float* b;
  const float* x;
  float* y;
  std::size_t stride;  // of all fields: from x to y to z
  float keep, back, step;
};

// The loops over numbers [begin, end) of the fields' values.
#define SINEW_SOLVER_KERNELS(isa)                                                               \
  namespace isa {                                                                               \
  void run_slices(const SlicePass& pass, std::size_t begin, std::size_t end);                   \
  void scale_by_diagonal(const float* D, float factor, const float* b, float* y,                \
                         std::size_t stride, std::size_t begin, std::size_t end);               \
  double dot(const float* a, const float* b, std::size_t begin, std::size_t end);               \
  double dot(const double* a, const double* b, std::size_t begin, std::size_t end);             \
  void combine(float a, const float* x, float b, float* y, std::size_t begin, std::size_t end); \
  void combine(double a, const double* x, double b, double* y, std::size_t begin,               \
               std::size_t end);                                                                \
  void convert(const double* from, float* to, std::size_t begin, std::size_t end);              \
  void convert(const float* from, double* to, std::size_t begin, std::size_t end);              \
  }
SINEW_SOLVER_KERNELS(sse2)
SINEW_SOLVER_KERNELS(avx2)
SINEW_SOLVER_KERNELS(avx512)
#undef SINEW_SOLVER_KERNELS

}  // namespace sinew::solver

// SINEW_SOLVER_RUN(set, dot(a, b, begin, end)): calls the kernel of an instruction set.
#define SINEW_SOLVER_RUN(set, call)                \
  ((set) == InstructionSet::kAvx512 ? avx512::call \
   : (set) == InstructionSet::kAvx2 ? avx2::call   \
                                    : sse2::call)
