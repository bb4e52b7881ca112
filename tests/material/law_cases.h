// The laws on one register's length of points, compiled for each instruction set: what
// law_lanes_test.cc compares with scalar code.
#pragma once

#include <cstddef>

#include "sinew/material/tissue_law.h"

namespace sinew::material {

template <class L>
struct Invertible;

// Rows of a case, each of one register's length.
inline constexpr std::size_t kLawInputs = 9 + 4 + 9;  // F by columns, fibre, dF by columns
inline constexpr std::size_t kLawOutputs = 9 + 1 + 9 + 9 + 9 + 1;  // see evaluate

// out: stress, energy and stress change (of a regular F); continued stress, extended stress and
// extended energy (of any F).
#define SINEW_LAW_CASE(law)                                             \
  void evaluate(const Invertible<law>& m, const float* in, float* out); \
  void evaluate(const Invertible<law>& m, const double* in, double* out);
#define SINEW_LAW_CASES(isa)   \
  namespace isa {              \
  int lane_width(float);       \
  int lane_width(double);      \
  SINEW_LAW_CASE(NeoHookean)   \
  SINEW_LAW_CASE(MooneyRivlin) \
  SINEW_LAW_CASE(Muscle)       \
  SINEW_LAW_CASE(Blemker)      \
  }
SINEW_LAW_CASES(sse2)
SINEW_LAW_CASES(avx2)
SINEW_LAW_CASES(avx512)
#undef SINEW_LAW_CASES
#undef SINEW_LAW_CASE

}  // namespace sinew::material
