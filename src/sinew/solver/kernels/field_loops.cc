#include "sinew/solver/kernels/solver_kernels.h"

namespace sinew::solver::SINEW_ISA {
namespace {

// Sixteen sums side by side, which the compiler may keep in lanes, added up in a fixed order.
template <class Real>
double dot_of(const Real* a, const Real* b, std::size_t begin, std::size_t end) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  std::size_t i = begin;
  for (; i + kSums <= end; i += kSums) {
    for (std::size_t k = 0; k < kSums; ++k) {
      sums[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
    }
  }
  double total = 0;
  for (; i < end; ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (const double sum : sums) total += sum;
  return total;
}

template <class Real>
void combine_of(Real a, const Real* x, Real b, Real* y, std::size_t begin, std::size_t end) {
  if (b == Real(0)) {  // the old y need not be finite
    for (std::size_t i = begin; i < end; ++i) y[i] = a * x[i];
  } else {
    for (std::size_t i = begin; i < end; ++i) y[i] = a * x[i] + b * y[i];
  }
}

}  // namespace

double dot(const float* a, const float* b, std::size_t begin, std::size_t end) {
  return dot_of(a, b, begin, end);
}
double dot(const double* a, const double* b, std::size_t begin, std::size_t end) {
  return dot_of(a, b, begin, end);
}
void combine(float a, const float* x, float b, float* y, std::size_t begin, std::size_t end) {
  combine_of(a, x, b, y, begin, end);
}
void combine(double a, const double* x, double b, double* y, std::size_t begin, std::size_t end) {
  combine_of(a, x, b, y, begin, end);
}
void convert(const double* from, float* to, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]);
}
void convert(const float* from, double* to, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) to[i] = from[i];
}

}  // namespace sinew::solver::SINEW_ISA
