// The inner loop of free-form deformation, compiled once for each instruction set. For free_form.cc
// only: raw pointers in, nothing owned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::brick {

// Points [begin, end) of one element: out[3 order[i] + c] = polynomial component c at (r, s, t)[i].
struct FreeFormTask {
  const float* r;
  const float* s;
  const float* t;
  const std::uint32_t* order;
  const float* coefficients;  // (20 x 3) in the order of polynomial.h
  float* out;
};

namespace sse2 {
void evaluate_points(const FreeFormTask& task, std::size_t begin, std::size_t end);
}
namespace avx2 {
void evaluate_points(const FreeFormTask& task, std::size_t begin, std::size_t end);
}
namespace avx512 {
void evaluate_points(const FreeFormTask& task, std::size_t begin, std::size_t end);
}

}  // namespace sinew::brick
