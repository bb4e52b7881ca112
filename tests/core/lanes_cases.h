// Operations of lanes on arrays of one register's length, compiled for each instruction set: what
// lanes_test.cc compares with scalar code.
#pragma once

#include "sinew/core/real.h"

namespace sinew {

enum class LaneCase {
  kExp,
  kLog,
  kCbrt,
  kReciprocalCbrt,
  kSqrt,
  kReciprocalSqrt,
  kAbs,
  kFloor,
  kLookUp,
  kMin,
  kMax,
  kSum,
  kPickLess,
  kPickBetween,
  kAnyLess,
  kAllLess,
};

#define SINEW_LANE_CASES(isa)                                                                    \
  namespace isa {                                                                                \
  int lane_width(float);                                                                         \
  int lane_width(double);                                                                        \
  void evaluate(LaneCase which, const Table& table, const float* a, const float* b, float* out); \
  void evaluate(LaneCase which, const Table& table, const double* a, const double* b,            \
                double* out);                                                                    \
  void decompose(const float* F, float* parts);                                                  \
  void decompose(const double* F, double* parts);                                                \
  }
// decompose: F (9 x width, by columns) into U, s and V (21 x width).
SINEW_LANE_CASES(sse2)
SINEW_LANE_CASES(avx2)
SINEW_LANE_CASES(avx512)
#undef SINEW_LANE_CASES

}  // namespace sinew
