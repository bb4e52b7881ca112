// What this machine can do at most, measured: the yardstick of a kernel.
#pragma once

namespace sinew::bench {

struct MachinePeaks {
  double float_flops, double_flops;  // 1/s, a fused multiply-add counts two
  double bandwidth;                  // bytes/s, of reading two arrays and writing one
};

// On all threads that the limit in force allows, best of `repeats`.
MachinePeaks measure_machine(int repeats, int threads);

// kernels/peak.cc: so many rounds of independent fused multiply-adds in registers; returns how many
// floating-point operations that was.
namespace sse2 {
double run_float_peak(int rounds);
double run_double_peak(int rounds);
}  // namespace sse2
namespace avx2 {
double run_float_peak(int rounds);
double run_double_peak(int rounds);
}  // namespace avx2
namespace avx512 {
double run_float_peak(int rounds);
double run_double_peak(int rounds);
}  // namespace avx512

}  // namespace sinew::bench
