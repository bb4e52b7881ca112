// The words in which pointwise maths is written once for `double` and for SIMD lanes: choices by
// `select` instead of branches, tables by `gather`. Here for double; lanes.h has the same for
// lanes, found by argument-dependent lookup. (sqrt, exp, log, cbrt: `using std::exp` and call
// unqualified.)
#pragma once

#include <cmath>

namespace sinew {

inline double select(bool condition, double yes, double no) {
  return condition ? yes : no;
}
inline bool any_of(bool condition) {
  return condition;
}
inline bool all_of(bool condition) {
  return condition;
}

inline double max(double a, double b) {
  return a > b ? a : b;
}
inline double min(double a, double b) {
  return a < b ? a : b;
}
// 1/sqrt and 1/cbrt: one instruction or few in lanes.
inline double rsqrt(double x) {
  return 1 / std::sqrt(x);
}
inline double rcbrt(double x) {
  return 1 / std::cbrt(x);
}

// A table that lanes of float read in float and all others in double.
struct Table {
  const double* in_double;
  const float* in_float;
};
// The index of a table's row: the integer part. Precondition: 0 <= x < 2^31.
inline int index_of(double x) {
  return static_cast<int>(x);
}
inline double to_real(int index, double /*like*/) {
  return index;
}
inline double gather(const Table& table, int index, double /*like*/) {
  return table.in_double[index];
}

}  // namespace sinew
