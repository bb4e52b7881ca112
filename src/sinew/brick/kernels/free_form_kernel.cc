#include "sinew/brick/kernels/free_form_kernel.h"

#include "sinew/core/lanes.h"

namespace sinew::brick::SINEW_ISA {
namespace {

using Reals = sinew::SINEW_ISA::Lanes<float>;
constexpr std::size_t kWidth = Reals::kWidth;

// Nested by powers of t, then s, then r: 19 multiplications and additions a component.
[[gnu::always_inline]] inline Reals nest(const float* c, Reals r, Reals s, Reals t) {
  const auto k = [c](std::size_t m) { return Reals(static_cast<double>(c[3 * m])); };
  const Reals tt = k(10) + k(15) * r + s * (k(16) + k(19) * r);
  const Reals t1 =
      k(3) + r * (k(6) + k(12) * r) + s * (k(5) + r * (k(7) + k(17) * r) + s * (k(14) + k(18) * r));
  const Reals t0 =
      k(0) + r * (k(1) + k(8) * r) + s * (k(2) + r * (k(4) + k(11) * r) + s * (k(9) + k(13) * r));
  return t0 + t * (t1 + t * tt);
}

[[gnu::always_inline]] inline void write(const FreeFormTask& task, std::size_t i, std::size_t count,
                                         const float* x, const float* y, const float* z) {
  for (std::size_t l = 0; l < count; ++l) {
    float* to = task.out + 3 * static_cast<std::size_t>(task.order[i + l]);
    to[0] = x[l], to[1] = y[l], to[2] = z[l];
  }
}

[[gnu::always_inline]] inline void evaluate_lanes(const FreeFormTask& task, const float* r,
                                                  const float* s, const float* t, std::size_t i,
                                                  std::size_t count) {
  using sinew::SINEW_ISA::load;
  using sinew::SINEW_ISA::store;
  const Reals rr = load(r), ss = load(s), tt = load(t);
  float x[kWidth], y[kWidth], z[kWidth];
  store(nest(task.coefficients, rr, ss, tt), x);
  store(nest(task.coefficients + 1, rr, ss, tt), y);
  store(nest(task.coefficients + 2, rr, ss, tt), z);
  write(task, i, count, x, y, z);
}

}  // namespace

void evaluate_points(const FreeFormTask& task, std::size_t begin, std::size_t end) {
  std::size_t i = begin;
  for (; i + kWidth <= end; i += kWidth) {
    evaluate_lanes(task, task.r + i, task.s + i, task.t + i, i, kWidth);
  }
  if (i == end) return;
  float r[kWidth] = {}, s[kWidth] = {}, t[kWidth] = {};
  for (std::size_t l = 0; i + l < end; ++l) {
    r[l] = task.r[i + l], s[l] = task.s[i + l], t[l] = task.t[i + l];
  }
  evaluate_lanes(task, r, s, t, i, end - i);
}

}  // namespace sinew::brick::SINEW_ISA
