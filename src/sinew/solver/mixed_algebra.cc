#include "sinew/solver/mixed_algebra.h"

#include "sinew/core/parallel.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kGrain = 8192;

}  // namespace

double dot(const Field3d& a, const Field3f& b) {
  const double* p = a.values().data();
  const float* q = b.values().data();
  return ordered_sum(a.values().size(), [=](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += p[i] * static_cast<double>(q[i]);
    return sum;
  });
}

void add_scaled(double a, const Field3f& x, Field3d& y) {
  const float* p = x.values().data();
  double* q = y.values().data();
  parallel_for(y.values().size(), kGrain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) q[i] += a * static_cast<double>(p[i]);
  });
}

void subtract(const Field3d& a, const Field3d& b, Field3f& y) {
  const double* p = a.values().data();
  const double* q = b.values().data();
  float* r = y.values().data();
  parallel_for(y.values().size(), kGrain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) r[i] = static_cast<float>(p[i] - q[i]);
  });
}

}  // namespace sinew::solver
