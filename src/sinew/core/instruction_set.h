// The instruction set that kernels run with, chosen when the program starts: one binary runs on any
// x86-64. Files in src/sinew/<folder>/kernels are compiled once for each set, in a namespace of its
// own (SINEW_ISA: sse2, avx2 or avx512), and picked here by their callers.
#pragma once

namespace sinew {

enum class InstructionSet { kSse2, kAvx2, kAvx512 };

// The best set of this machine, or a lesser one while an InstructionSetLimit lives.
InstructionSet instruction_set();

const char* name_of(InstructionSet set);

// Holds kernels back to `limit` while it lives: for comparing sets with each other.
class InstructionSetLimit {
 public:
  explicit InstructionSetLimit(InstructionSet limit);
  ~InstructionSetLimit();
  InstructionSetLimit(const InstructionSetLimit&) = delete;
  InstructionSetLimit& operator=(const InstructionSetLimit&) = delete;

 private:
  InstructionSet before_;
};

}  // namespace sinew
