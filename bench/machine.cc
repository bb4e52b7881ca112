#include "machine.h"

#include <vector>

#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"

#include "figure.h"

namespace sinew::bench {
namespace {

using Run = double (*)(int);

double measure_flops(Run run, int repeats, int threads) {
  constexpr int kRounds = 400000;
  const auto pieces = static_cast<std::size_t>(threads);
  std::vector<double> flops(pieces);
  const double ms = best_milliseconds(repeats, [&] {
    parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) flops[i] = run(kRounds);
    });
  });
  return flops[0] * threads / ms * 1e3;
}

double measure_bandwidth(int repeats) {
  constexpr std::size_t kSize = std::size_t{8} << 20;  // doubles an array: beyond any cache
  constexpr std::size_t kGrain = std::size_t{1} << 16;
  std::vector<double> a(kSize, 1.0), b(kSize, 2.0), c(kSize);
  const double ms = best_milliseconds(repeats, [&] {
    parallel_for(kSize, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) c[i] = a[i] + 0.5 * b[i];
    });
  });
  return 3.0 * kSize * sizeof(double) / ms * 1e3;
}

}  // namespace

MachinePeaks measure_machine(int repeats, int threads) {
  Run in_float = sse2::run_float_peak, in_double = sse2::run_double_peak;
  if (instruction_set() == InstructionSet::kAvx2) {
    in_float = avx2::run_float_peak, in_double = avx2::run_double_peak;
  } else if (instruction_set() == InstructionSet::kAvx512) {
    in_float = avx512::run_float_peak, in_double = avx512::run_double_peak;
  }
  return {measure_flops(in_float, repeats, threads), measure_flops(in_double, repeats, threads),
          measure_bandwidth(repeats)};
}

}  // namespace sinew::bench
