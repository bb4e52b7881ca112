#include "sinew/core/instruction_set.h"

#include <algorithm>
#include <atomic>

namespace sinew {
namespace {

// What the kernels of a set are compiled for: x86-64-v3 and v4 (cmake/sinew.cmake).
InstructionSet detect() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  if (!avx2) return InstructionSet::kSse2;
  return avx512 ? InstructionSet::kAvx512 : InstructionSet::kAvx2;
}

std::atomic<InstructionSet> most{InstructionSet::kAvx512};

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet best = detect();
  return std::min(best, most.load());
}

const char* name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::kSse2:
      return "sse2";
    case InstructionSet::kAvx2:
      return "avx2";
    default:
      return "avx512";
  }
}

InstructionSetLimit::InstructionSetLimit(InstructionSet limit) : before_(most.exchange(limit)) {}

InstructionSetLimit::~InstructionSetLimit() {
  most = before_;
}

}  // namespace sinew
